import * as calls from "./calls.js";
import { Invoices } from "./invoices.js";
import type { Chart, ChartBody, Me, QualityAnswer } from "./models.js";
import type { CallOptions, Logger, Options } from "./options.js";
import { RateLimit } from "./rate-limit.js";
import { Events, Exports, Mails, OwnFields, PurchaseOrders, Vendors, WebhookEndpoints } from "./resources.js";
import { type Parts, Transport } from "./transport.js";

const DEFAULT_URL = "http://127.0.0.1:8000";

export interface ClientOptions {
  /**
   * Default: INVOICES_API_KEY. `null` sends none: a browser calls a server of yours, which adds the key, since
   * everybody can read what a browser has.
   */
  apiKey?: string | null | undefined;
  /** Default: INVOICES_URL, else http://127.0.0.1:8000. */
  url?: string | undefined;
  /** For each attempt, in milliseconds; 30 s without it. */
  timeout?: number | undefined;
  /** Retries of a call that can be repeated without harm; 4 without it. */
  maxRetries?: number | undefined;
  /** Milliseconds before the first retry; 500 without it. */
  backoff?: number | undefined;
  /** Your own `fetch`, for proxies, certificates or tests. */
  fetch?: typeof fetch | undefined;
  /** Such as `console`. */
  logger?: Logger | undefined;
}

/** A client of the service at `url`. */
export class Client {
  readonly invoices: Invoices;
  readonly vendors: Vendors;
  readonly purchaseOrders: PurchaseOrders;
  readonly fields: OwnFields;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly mails: Mails;
  readonly exports: Exports;
  readonly #transport: Transport;

  constructor(options: ClientOptions | Transport = {}) {
    this.#transport = options instanceof Transport ? options : new Transport(read(options), new RateLimit());
    this.invoices = this.invoicesOf(this.#transport);
    this.vendors = new Vendors(this.#transport);
    this.purchaseOrders = new PurchaseOrders(this.#transport);
    this.fields = new OwnFields(this.#transport);
    this.events = new Events(this.#transport);
    this.webhookEndpoints = new WebhookEndpoints(this.#transport);
    this.mails = new Mails(this.#transport);
    this.exports = new Exports(this.#transport);
  }

  protected invoicesOf(transport: Transport): Invoices {
    return new Invoices(transport);
  }

  /** The same client with another `timeout`, number of retries or signal, for single calls. */
  withOptions(changes: CallOptions): this {
    return new (this.constructor as new (transport: Transport) => this)(this.#transport.withOptions(changes));
  }

  /** Whose key this is, and how much of the monthly quota is used. */
  async me(options?: CallOptions): Promise<Me> {
    return this.#transport.call(calls.describeMe, [], {}, options);
  }

  /** The accuracy of the confidence levels on the account's reviewed invoices. */
  async quality(options?: CallOptions): Promise<QualityAnswer> {
    return this.#transport.call(calls.getQuality, [], {}, options);
  }

  /** What the account's invoices are booked on, with the `revision` for `updateChart`. */
  async chart(options?: CallOptions): Promise<Chart> {
    return this.#transport.call(calls.getChart, [], {}, options);
  }

  /** Replace the chart. `revision` is the one that was seen. */
  async updateChart(chart: ChartBody, options?: CallOptions): Promise<Chart> {
    return this.#transport.call(calls.replaceChart, [], { json: chart }, options);
  }

  /** The response to any request under `/v1`, as it came, with key, retries and errors like other calls. */
  async request(method: string, path: string, parts: Omit<Parts, "hasKey"> = {}, options?: CallOptions): Promise<Response> {
    return this.#transport.request(method, path, parts, options);
  }
}

function read(given: ClientOptions): Options {
  const key = given.apiKey === undefined ? environment("INVOICES_API_KEY") : given.apiKey;
  if (key === undefined || key === "") throw new TypeError("pass apiKey, or set INVOICES_API_KEY");
  if (key !== null && isBrowser()) throw new TypeError("a key in a browser is public: pass apiKey: null and the url of your server");
  const { timeout = 30_000, maxRetries = 4, backoff = 500, logger } = given;
  const url = (given.url ?? environment("INVOICES_URL") ?? DEFAULT_URL).replace(/\/+$/, "");
  return { url, key, timeout, maxRetries, backoff, logger, isPaced: false, fetch: given.fetch ?? globalThis.fetch };
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

function isBrowser(): boolean {
  return "document" in globalThis && "window" in globalThis;
}
