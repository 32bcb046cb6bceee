/** A service that gives each of its answers, and keeps the requests. */

import { Client, type ClientOptions } from "../src/node/index.js";

export type Step = Response | Error;

export const KEY = "inv_live_secret";

export function refusal(status: number, type: string, code: string, retryAfter?: string): Response {
  const headers = { "X-Request-Id": "r1", ...(retryAfter ? { "Retry-After": retryAfter } : {}) };
  return Response.json({ error: { type, code, message: "no", param: null } }, { status, headers });
}

/** What `fetch` of Node throws. */
export function broken(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("broken"), { code }) });
}

export const LIMIT = refusal(429, "rate_limit_error", "rate_limited", "0");
export const QUOTA = refusal(429, "quota_exceeded", "monthly_quota_reached", "9");
export const FAULT = refusal(500, "api_error", "internal");
export const IN_FLIGHT = refusal(409, "api_error", "idempotency_in_flight", "0");
export const SLOW = refusal(408, "invalid_request_error", "request_timeout");
export const LOST = broken("ECONNRESET");
export const NEVER_SENT = broken("ECONNREFUSED");
export const DONE = new Response(null, { status: 204 });

export const INVOICE = `{
  "id": "1", "object": "invoice", "status": "complete", "source": "api", "auto_verified": true, "paid": false,
  "created_at": "2026-05-17T12:00:00Z", "updated_at": "2026-05-17T12:00:01Z", "amount": 1234567890123456.10,
  "quality_score": 0.5, "file": {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": 4}
}`;

export class Service {
  readonly requests: Request[] = [];

  /** The last step is repeated. */
  constructor(private readonly steps: Step[]) {}

  readonly fetch: typeof fetch = async (input, init) => {
    // A signal that is aborted later would be an error of this copy.
    const { signal, ...others } = init ?? {};
    signal?.throwIfAborted();
    this.requests.push(new Request(input, others));
    const step = this.steps.length > 1 ? this.steps.shift() : this.steps[0];
    if (!(step instanceof Response)) throw step;
    return step.clone();
  };

  client(options: ClientOptions = {}): Client {
    const { fetch } = this;
    return new Client({ apiKey: KEY, url: "http://service", fetch, backoff: 0, maxRetries: 2, ...options });
  }
}

export function answer(body: unknown): Response {
  return new Response(typeof body === "string" ? body : JSON.stringify(body));
}

/** All results of a generator. */
export async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
