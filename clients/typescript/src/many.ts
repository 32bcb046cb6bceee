/** Many documents, each sent once. */

import { type FileSource, type NewDocument, nameOf, readBytes } from "./documents.js";
import { APIError, UnconfirmedError } from "./errors.js";
import type { Invoices } from "./invoices.js";
import { type Entry, isUnconfirmed, type Journal } from "./journal.js";
import type { Invoice } from "./models.js";
import { type CreateResult, isFinished } from "./results.js";
import { mapConcurrently } from "./timing.js";

/** A document in a list of many. */
export type ManyDocument = Blob | (NewDocument & { file: FileSource });

/** How many documents are sent. */
export interface ManyOptions<Source> {
  /** At a time; 8 without it. */
  concurrency?: number | undefined;
  /** Wait until each invoice is finished; true without it. */
  wait?: boolean | undefined;
  /** How long each invoice is waited for, in milliseconds; 10 minutes without it. */
  waitTimeout?: number | undefined;
  /** Called before each result. */
  progress?: ((result: CreateResult<Source>) => void) | undefined;
  /** Ends the run; what was sent stays sent. */
  signal?: AbortSignal | undefined;
}

/** A document that was read: `name` identifies it in a journal. */
export interface ReadDocument {
  name: string;
  file_name: string;
  data: Uint8Array<ArrayBuffer>;
}

/** Sends documents; a journal knows which of them the service has. */
export class ManyDocuments<Source> {
  private readonly wait: boolean;

  constructor(
    private readonly invoices: Invoices,
    private readonly read: (source: Source) => Promise<ReadDocument>,
    private readonly options: ManyOptions<Source>,
  ) {
    this.wait = options.wait ?? true;
  }

  /** The result of each document, in the order in which they finish. */
  async *send(
    sources: Iterable<Source> | AsyncIterable<Source>,
    opening: () => Promise<Journal>,
  ): AsyncGenerator<CreateResult<Source>, void, undefined> {
    const { concurrency = 8, progress, signal } = this.options;
    const journal = await opening();
    try {
      const sendOne = (source: Source, ending: AbortSignal) => this.result(source, journal, ending);
      for await (const result of mapConcurrently(sources, concurrency, signal, sendOne)) {
        progress?.(result);
        yield result;
      }
    } finally {
      await journal.close();
    }
  }

  private async result(source: Source, journal: Journal, signal: AbortSignal): Promise<CreateResult<Source>> {
    try {
      return { document: source, invoice: await this.invoice(source, journal, signal) };
    } catch (error) {
      signal.throwIfAborted();
      return { document: source, error: error as Error };
    }
  }

  private async invoice(source: Source, journal: Journal, signal: AbortSignal): Promise<Invoice> {
    const document = await this.read(source);
    const [step, entry] = await journal.find(document.name, document.data);
    if (isUnconfirmed(entry)) {
      throw new UnconfirmedError(`${document.name} was sent at ${entry.sentAt?.toISOString()} without an answer`);
    }
    const invoice = entry.invoice ?? (await this.create(document, step, entry, journal, signal));
    if (!this.wait || isFinished(invoice)) return invoice;
    const finished = await this.invoices.wait(invoice.id, { waitTimeout: this.options.waitTimeout, signal });
    await journal.answered(step, finished);
    return finished;
  }

  private async create(
    { data, file_name }: ReadDocument,
    step: string,
    { key, sentAt }: Entry,
    journal: Journal,
    signal: AbortSignal,
  ): Promise<Invoice> {
    await journal.sent(step);
    try {
      const options = { idempotencyKey: key, signal };
      const invoice = await this.invoices.create({ file: data, file_name, wait: this.wait }, options);
      await journal.answered(step, invoice);
      return invoice;
    } catch (error) {
      // After a lost answer, the invoice may exist although this call was refused.
      if (error instanceof APIError && !error.isUncertain && sentAt === undefined) {
        await journal.refused(step, error.code);
      }
      throw error;
    }
  }
}

/** A document that is in memory. */
export async function readDocument(source: ManyDocument): Promise<ReadDocument> {
  const document = source instanceof Blob ? { file: source } : source;
  const name = nameOf(document);
  return { name, file_name: name, data: await readBytes(document.file) };
}
