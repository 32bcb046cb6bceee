/** The client for Node, Deno and Bun: the same, with paths and a journal. */

import { Client as WebClient } from "../client.js";
import type { Transport } from "../transport.js";
import { NodeInvoices } from "./invoices.js";

export * from "../index.js";
export { NodeInvoices, type NodeManyOptions, type PathText } from "./invoices.js";
export { JournalInUseError } from "./journal.js";

/** A client whose `invoices` take paths. */
export class Client extends WebClient {
  declare readonly invoices: NodeInvoices;

  protected override invoicesOf(transport: Transport): NodeInvoices {
    return new NodeInvoices(transport);
  }
}
