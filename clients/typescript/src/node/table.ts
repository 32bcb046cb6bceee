/** Results as CSV. */

import { rename, writeFile } from "node:fs/promises";
import { APIError, InvoicesError } from "../errors.js";
import type { Invoice } from "../models.js";

const VALUES = ["vendor_name", "invoice_number", "issued_at", "due_at", "amount", "tax", "currency"] as const;
const COLUMNS = [
  ...["file", "id", "status", ...VALUES],
  ...VALUES.map((name) => `${name === "vendor_name" ? "vendor" : name}_confidence`),
  ...["auto_verified", "error"],
];
// What a spreadsheet would run as a formula; the same texts as in the service's own exports.
const FORMULA = /^[\s\x00-\x1f\x7f\u00ad\u200b-\u200f\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]/;
// Exact numbers and dates, which the client made and no document can fill with a formula.
const SAFE = new Set(["amount", "tax", "issued_at", "due_at"]);

type Cells = Record<string, unknown>;

/** The cells of an invoice. */
export function invoiceRow(file: string, invoice: Invoice): Cells {
  const levels = Object.entries(invoice.field_confidence ?? {}).map(([field, level]) => [`${field}_confidence`, level]);
  const error = invoice.failure?.message;
  return { ...invoice, ...Object.fromEntries(levels), file, error };
}

/** The cells of a document without an invoice. */
export function errorRow(file: string, error: Error): Cells {
  const code = error instanceof APIError && error.code ? error.code : error.name;
  return { file, error: error instanceof InvoicesError ? `${code}: ${error.message}` : error.message };
}

/** Write the rows in one step: a reader sees the whole table or the one before. */
export async function writeTable(path: string, rows: Cells[]): Promise<void> {
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => cell(name, row[name])))];
  const text = lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
  const written = `${path}.${crypto.randomUUID()}`;
  await writeFile(written, text);
  await rename(written, path);
}

/** A text on one line, which no spreadsheet runs as a formula. */
function cell(name: string, value: unknown): string {
  const line = String(value ?? "").split(/[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+/).join(" ").trimEnd();
  return !SAFE.has(name) && FORMULA.test(line) ? `'${line}` : line;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
