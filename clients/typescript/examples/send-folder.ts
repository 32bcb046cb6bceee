/** Send the PDFs of a folder, and print each invoice that a person should look at: `node send-folder.js FOLDER`. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client, type Invoice } from "invoices-client/node";

/** Whether a value is less than `high`. */
function isDoubtful(invoice: Invoice): boolean {
  return Object.values(invoice.field_confidence ?? {}).some((level) => level !== "high");
}

const folder = process.argv[2] ?? ".";
const names = (await readdir(folder)).filter((name) => name.endsWith(".pdf")).sort();
const paths = names.map((name) => join(folder, name));
for await (const { document, invoice, error } of new Client().invoices.createMany(paths, { journal: join(folder, "journal") })) {
  if (error) console.log(document, error.message);
  else if (isDoubtful(invoice)) console.log(document, invoice.vendor_name, invoice.amount, invoice.currency);
}
