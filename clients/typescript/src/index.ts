/** Client of the invoice extraction service, for every place that has `fetch`. */

export type { Decimal, IsoDate, IsoDateTime, Open } from "./base.js";
export { Client, type ClientOptions } from "./client.js";
export type { FileSource, NewDocument, NewInvoice } from "./documents.js";
export * from "./errors.js";
export { type CreateOptions, Invoices, type WaitOptions } from "./invoices.js";
export type { ManyDocument, ManyOptions } from "./many.js";
export type * from "./models.js";
export type { CallOptions, Logger } from "./options.js";
export { Pages } from "./pages.js";
export { isDeletedEvent, type KeyedOptions } from "./resources.js";
export type { CreateResult } from "./results.js";
export * as webhooks from "./webhooks.js";
