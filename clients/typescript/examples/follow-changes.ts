/** Keep a copy of all invoices up to date: print each change, until the program is stopped. */

import { setTimeout as sleep } from "node:timers/promises";
import { Client, type IsoDateTime } from "invoices-client/node";

const client = new Client();
let since: IsoDateTime | undefined;
for (;;) {
  for await (const invoice of client.invoices.list({ sort: "updated_at", updated_after: since, limit: 100 })) {
    console.log(invoice.id, invoice.status, invoice.updated_at);
    since = invoice.updated_at;
  }
  await sleep(30_000);
}
