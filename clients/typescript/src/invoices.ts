/** Calls about invoices. */

import * as calls from "./calls.js";
import { type NewInvoice, uploadBody } from "./documents.js";
import { WaitTimeoutError } from "./errors.js";
import { Journal } from "./journal.js";
import { type ManyDocument, ManyDocuments, type ManyOptions, readDocument } from "./many.js";
import type {
  AcceptedInvoice,
  AmendBody,
  ApprovalBody,
  ApprovalRequested,
  CodingBody,
  ExtractBody,
  FileLink,
  GetEinvoiceQuery,
  GetFileLinkQuery,
  Invoice,
  ListInvoicesQuery,
  PageAnswer,
  ReviewAnswer,
  ReviewBody,
} from "./models.js";
import type { CallOptions } from "./options.js";
import { Pages } from "./pages.js";
import { type CreateResult, isFinished } from "./results.js";
import { sleep } from "./timing.js";
import type { Transport } from "./transport.js";

const LONGEST_POLL = 10_000;
const LONGEST_WAIT = 600_000;
// About a minute, in which a service can be restarted.
const RETRIES_OF_MANY = 12;

export interface CreateOptions extends CallOptions {
  /** All retries of a call have one key, so that they create one invoice. Give your own if your program repeats it. */
  idempotencyKey?: string | undefined;
}

export interface WaitOptions extends CallOptions {
  /** How long the invoice is waited for, in milliseconds; 10 minutes without it. */
  waitTimeout?: number | undefined;
  /** Before the first question; each further one waits longer, up to 10 s. */
  pollInterval?: number | undefined;
}

/** `client.invoices`. */
export class Invoices {
  constructor(protected readonly transport: Transport) {}

  /** Send a document: a `file`, a public https `url`, or `base64`. */
  async create(document: NewInvoice, options: CreateOptions = {}): Promise<AcceptedInvoice> {
    const { idempotencyKey = crypto.randomUUID(), ...others } = options;
    const params = document.wait ? { wait: true } : undefined;
    const headers = { "Idempotency-Key": idempotencyKey };
    return this.transport.call(calls.createInvoice, [], { params, headers, ...(await uploadBody(document)) }, others);
  }

  /**
   * Send a document, and return its finished invoice: `complete` or `failed`. Throws WaitTimeoutError after
   * `waitTimeout`.
   */
  async createAndWait(document: Omit<NewInvoice, "wait">, options: CreateOptions & WaitOptions = {}): Promise<Invoice> {
    const { waitTimeout = LONGEST_WAIT, pollInterval, ...others } = options;
    const deadline = performance.now() + waitTimeout;
    const invoice = await this.create({ ...document, wait: true }, others);
    return this.finish(invoice, deadline, pollInterval, others);
  }

  /**
   * Send many documents, `concurrency` at a time and within the rate limit, and yield each invoice or error. The
   * client of `invoices-client/node` takes paths and keeps a journal.
   */
  createMany<Source extends ManyDocument>(
    documents: Iterable<Source> | AsyncIterable<Source>,
    options: ManyOptions<Source> = {},
  ): AsyncGenerator<CreateResult<Source>, void, undefined> {
    return new ManyDocuments(new Invoices(this.patient()), readDocument, options).send(documents, async () => new Journal());
  }

  /** The invoice once it is finished. Throws WaitTimeoutError after `waitTimeout`. */
  async wait(id: string, options: WaitOptions = {}): Promise<Invoice> {
    const { waitTimeout = LONGEST_WAIT, pollInterval, ...others } = options;
    const deadline = performance.now() + waitTimeout;
    return this.finish(await this.retrieve(id, others), deadline, pollInterval, others);
  }

  /** One invoice. */
  async retrieve(id: string, options?: CallOptions): Promise<Invoice> {
    return this.transport.call(calls.getInvoice, [id], {}, options);
  }

  /** Invoices, newest first. Iterate over all of them; `limit` is the size of a page. */
  list(filters: ListInvoicesQuery = {}, options: CallOptions = {}): Pages<Invoice> {
    return new Pages(this.transport, calls.listInvoices, filters, options);
  }

  /** Set `paid` or `entity_tag`; null clears the tag. */
  async update(id: string, changes: AmendBody, options?: CallOptions): Promise<Invoice> {
    return this.transport.call(calls.amendInvoice, [id], { json: changes }, options);
  }

  /** Delete an invoice and its document permanently. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.call(calls.deleteInvoice, [id], {}, options);
  }

  /** Read the document again, for one unit of the quota. A complete invoice needs `force`. */
  async extract(id: string, choices: ExtractBody = {}, options?: CallOptions): Promise<Invoice> {
    return this.transport.call(calls.extractAgain, [id], { json: choices }, options);
  }

  /** A link to the document, valid for an hour and without a key. */
  async file(id: string, choices: GetFileLinkQuery = {}, options?: CallOptions): Promise<FileLink> {
    return this.transport.call(calls.getFileLink, [id], { params: choices }, options);
  }

  /** The document itself. */
  async download(id: string, choices: GetFileLinkQuery = {}, options?: CallOptions): Promise<Blob> {
    const link = await this.file(id, choices, options);
    return (await this.transport.request("GET", link.url, { hasKey: false }, options)).blob();
  }

  /**
   * The electronic invoice of the document, as XML. Throws NotFoundError if there is none. With `format`, a valid one
   * is written of the invoice, as XML or within its PDF; throws InvalidRequestError if terms are missing.
   */
  async einvoice(id: string, choices: GetEinvoiceQuery = {}, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.transport.call(calls.getEinvoice, [id], { params: choices }, options);
  }

  /** Let the values of an exported invoice be changed. The next export contains it again. */
  async unlock(id: string, options?: CallOptions): Promise<Invoice> {
    return this.transport.call(calls.unlockInvoice, [id], {}, options);
  }

  /** Ask a person by e-mail to approve or reject a complete invoice. */
  async requestApproval(id: string, recipient: ApprovalBody, options?: CallOptions): Promise<ApprovalRequested> {
    return this.transport.call(calls.requestApproval, [id], { json: recipient }, options);
  }

  /** What a person needs to check the values, with the `revision` for `updateReview`. */
  async review(id: string, options?: CallOptions): Promise<ReviewAnswer> {
    return this.transport.call(calls.getReview, [id], {}, options);
  }

  /** Correct, confirm or reject an invoice. `revision` is the one that was seen. */
  async updateReview(id: string, decisions: ReviewBody, options?: CallOptions): Promise<ReviewAnswer> {
    return this.transport.call(calls.changeReview, [id], { json: decisions }, options);
  }

  /** Confirm or correct what an invoice is booked on, as a whole; null takes the decision back. */
  async updateCoding(id: string, coding: CodingBody, options?: CallOptions): Promise<Invoice> {
    return this.transport.call(calls.changeCoding, [id], { json: coding }, options);
  }

  /** A page, from 1, with its words and their places. */
  async page(id: string, number: number, options?: CallOptions): Promise<PageAnswer> {
    return this.transport.call(calls.getPage, [id, number], {}, options);
  }

  /** A page, from 1, as a JPEG. */
  async picture(id: string, number: number, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.transport.call(calls.getPicture, [id, number], {}, options);
  }

  /** The calls of `createMany` wait for the rate limit, and for a service that is restarted. */
  protected patient(): Transport {
    const maxRetries = Math.max(this.transport.options.maxRetries, RETRIES_OF_MANY);
    return this.transport.withOptions({ isPaced: true, maxRetries });
  }

  private async finish(invoice: Invoice, deadline: number, pause = 1_000, options: CallOptions): Promise<Invoice> {
    let current = invoice;
    for (let next = pause; !isFinished(current); next = Math.min(next * 1.5, LONGEST_POLL)) {
      const left = deadline - performance.now();
      if (left <= 0) throw new WaitTimeoutError(current);
      await sleep(Math.min(next, left), options.signal);
      current = await this.retrieve(invoice.id, options);
    }
    return current;
  }
}
