/** Calls about invoices, with paths. */

import { readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkOneSource, type NewDocument, type NewInvoice } from "../documents.js";
import { type CreateOptions, Invoices, type WaitOptions } from "../invoices.js";
import { Journal } from "../journal.js";
import { type ManyDocument, ManyDocuments, type ManyOptions, type ReadDocument, readDocument } from "../many.js";
import type { AcceptedInvoice, FileLink, GetFileLinkQuery, Invoice } from "../models.js";
import type { CallOptions } from "../options.js";
import type { CreateResult } from "../results.js";
import { FileJournal } from "./journal.js";

export type PathText = string | URL;

interface HasPath {
  /** A file, in place of `file`. */
  path?: PathText | undefined;
}

export interface NodeManyOptions<Source> extends ManyOptions<Source> {
  /**
   * A file that the client keeps of what was sent. With it, the same call continues after a crash: each document
   * becomes one invoice. It is safe for 24 hours, as idempotency keys are.
   */
  journal?: PathText | undefined;
}

/** `client.invoices` of `invoices-client/node`. */
export class NodeInvoices extends Invoices {
  override async create(document: NewInvoice & HasPath, options?: CreateOptions): Promise<AcceptedInvoice> {
    return super.create(await opened(document), options);
  }

  override async createAndWait(
    document: Omit<NewInvoice, "wait"> & HasPath,
    options?: CreateOptions & WaitOptions,
  ): Promise<Invoice> {
    return super.createAndWait(await opened(document), options);
  }

  /** Send many files, `concurrency` at a time and within the rate limit, and yield each invoice or error. */
  override createMany<Source extends ManyDocument | PathText>(
    documents: Iterable<Source> | AsyncIterable<Source>,
    options: NodeManyOptions<Source> = {},
  ): AsyncGenerator<CreateResult<Source>, void, undefined> {
    const { journal, ...others } = options;
    const opening = async (): Promise<Journal> => (journal ? FileJournal.open(pathOf(journal)) : new Journal());
    return new ManyDocuments(new Invoices(this.patient()), readSource, others).send(documents, opening);
  }

  /** A link to the document, valid for an hour and without a key. With `to`, also download it into that file. */
  override async file(
    id: string,
    { to, ...choices }: GetFileLinkQuery & { to?: PathText | undefined } = {},
    options?: CallOptions,
  ): Promise<FileLink> {
    const found = await super.file(id, choices, options);
    if (to !== undefined) {
      const response = await this.transport.request("GET", found.url, { hasKey: false }, options);
      await writeFile(to, new Uint8Array(await response.arrayBuffer()));
    }
    return found;
  }
}

async function opened<Document extends NewDocument>({ path, ...document }: Document & HasPath): Promise<Document> {
  if (path === undefined) return document as unknown as Document;
  const { file, url, base64 } = document;
  checkOneSource({ path, file, url, base64 });
  const file_name = document.file_name ?? basename(pathOf(path));
  return { ...document, file: await readFile(path), file_name } as unknown as Document;
}

async function readSource(source: ManyDocument | PathText): Promise<ReadDocument> {
  if (typeof source !== "string" && !(source instanceof URL)) return readDocument(source);
  const path = pathOf(source);
  return { name: resolve(path), file_name: basename(path), data: new Uint8Array(await readFile(path)) };
}

function pathOf(path: PathText): string {
  return typeof path === "string" ? path : fileURLToPath(path);
}
