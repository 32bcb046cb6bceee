import type { Invoice } from "./models.js";

/**
 * The invoice of a document, or why there is none. A file with several invoices has the first here: `batch`.
 * `document` is what was passed.
 */
export type CreateResult<Source> =
  | { readonly document: Source; readonly invoice: Invoice; readonly error?: undefined }
  | { readonly document: Source; readonly invoice?: undefined; readonly error: Error };

/** Whether the extraction has ended, with values or without. */
export function isFinished(invoice: Invoice): boolean {
  return invoice.status === "complete" || invoice.status === "failed";
}
