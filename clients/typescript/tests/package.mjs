// The installed package, without a service: copied into a folder that has it, and run by Node, Deno or Bun.

import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as WebClient, NotFoundError, webhooks } from "invoices-client";
import { Client, JournalInUseError } from "invoices-client/node";

const INVOICE = '{"id": "1", "status": "complete", "amount": 1190.50}';
const REFUSED = '{"error": {"type": "not_found", "code": "invoice_not_found", "message": "no", "param": null}}';

// Faults come first; only invoice 1 exists.
const keys = [];
const answer = async (url, { method, headers }) => {
  keys.push(headers.get("Idempotency-Key"));
  if (keys.length === 1) return new Response(null, { status: 503 });
  if (method === "POST" || url.pathname.endsWith("/1")) return new Response(INVOICE);
  return new Response(REFUSED, { status: 404 });
};
const options = { apiKey: "inv_live_x", url: "http://service", backoff: 0, fetch: answer };

for (const client of [new WebClient(options), new Client(options)]) {
  keys.length = 0;
  const invoice = await client.invoices.createAndWait({ file: new Blob(["%PDF"]) });
  assert.equal(invoice.amount, "1190.50");
  assert.equal(keys[0], keys[1]);
  await assert.rejects(client.invoices.retrieve("2"), NotFoundError);
}

const folder = await mkdtemp(join(tmpdir(), "client-"));
const [path, journal] = [join(folder, "a.pdf"), join(folder, "journal")];
await writeFile(path, "%PDF");
for (const expected of [1, 0]) {
  const { invoices } = new Client(options);
  const before = keys.length;
  for await (const { document, invoice } of invoices.createMany([path], { journal })) {
    assert.deepEqual([document, invoice.amount], [path, "1190.50"]);
    const second = invoices.createMany([path], { journal });
    await assert.rejects(second.next(), JournalInUseError);
  }
  assert.equal(keys.length - before, expected);
}

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const headers = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
await webhooks.verifySignature('{"test": 2432232314}', headers, secret, { now: new Date(1_614_265_330_000) });
