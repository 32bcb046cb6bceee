#!/usr/bin/env node
/** The command `invoices-client`. */

import { parseArgs } from "node:util";
import type { CreateResult } from "../results.js";
import { Client } from "./index.js";
import { errorRow, invoiceRow, writeTable } from "./table.js";

const USAGE = `usage: invoices-client send FILE... --out CSV [--url URL] [--concurrency 8] [--journal CSV.journal]

Send files, and write their values as CSV. The API key is read from INVOICES_API_KEY.`;

/** Send files; the exit status is 0 if all were read, else 1. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: "string" },
      url: { type: "string" },
      concurrency: { type: "string", default: "8" },
      journal: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command, ...files] = positionals;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const concurrency = Number(values.concurrency);
  if (command !== "send" || !files.length || !values.out || !(concurrency >= 1)) throw new TypeError(USAGE);
  const client = new Client({ url: values.url });
  return send(client, files, values.out, values.journal ?? `${values.out}.journal`, concurrency);
}

async function send(client: Client, files: string[], out: string, journal: string, concurrency: number): Promise<number> {
  const results = new Map<string, CreateResult<string>>();
  for await (const result of client.invoices.createMany(files, { concurrency, journal })) {
    results.set(result.document, result);
    const state = result.error?.message ?? result.invoice?.status;
    console.error(`${results.size}/${files.length} ${result.document}: ${state}`);
  }
  const rows: Record<string, unknown>[] = [];
  for (const file of files) {
    const result = results.get(file);
    if (result) rows.push(...(await rowsOf(client, result)));
  }
  await writeTable(out, rows);
  return [...results.values()].every((result) => result.invoice?.status === "complete") ? 0 : 1;
}

/** One row for each invoice of a file. */
async function rowsOf(client: Client, { document, invoice, error }: CreateResult<string>): Promise<Record<string, unknown>[]> {
  if (!invoice) return [errorRow(document, error)];
  if (!invoice.batch) return [invoiceRow(document, invoice)];
  const batch = [];
  for await (const each of client.invoices.list({ batch: invoice.batch.id, exclude: "citations", limit: 100 })) batch.push(each);
  batch.sort((one, other) => (one.batch?.index ?? 0) - (other.batch?.index ?? 0));
  return batch.map((each) => invoiceRow(document, each));
}

main().then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    console.error(`invoices-client: ${(error as Error).message}`);
    process.exitCode = 2;
  },
);
