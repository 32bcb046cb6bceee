/** Calls of the service, with retries. */

import { type Call, pathOf, queryText } from "./call.js";
import { APIConnectionError, APIError, apiError } from "./errors.js";
import { type CallOptions, type Options, timeoutOf, withCallOptions } from "./options.js";
import type { RateLimit } from "./rate-limit.js";
import { connectionError, isRepeatable, Retries } from "./retries.js";
import { sleep, withDeadline } from "./timing.js";

// Whoever has the rest of this path needs no key.
const LINKS = "/v1/files/";

/** What is sent with a request. */
export interface Parts {
  params?: object | undefined;
  headers?: Record<string, string> | undefined;
  json?: unknown;
  form?: FormData | undefined;
  hasKey?: boolean;
}

/** Sends requests with options, which a call may change. */
export class Transport {
  constructor(
    readonly options: Options,
    private readonly rateLimit: RateLimit,
  ) {}

  withOptions(changes: CallOptions & { isPaced?: boolean }): Transport {
    return new Transport(withCallOptions(this.options, changes), this.rateLimit);
  }

  /** The answer to an operation. */
  async call<Answer>(call: Call<Answer>, ids: unknown[], parts: Parts, options: CallOptions = {}): Promise<Answer> {
    return call.read(await this.request(call.method, pathOf(call, ids), parts, options));
  }

  /**
   * The successful response to a request. Throws an APIError or an APIConnectionError, after retries where they are
   * safe, and the signal's reason if it is aborted.
   */
  async request(method: string, path: string, parts: Parts, changes: CallOptions = {}): Promise<Response> {
    const options = withCallOptions(this.options, changes);
    const url = urlOf(options, path, parts.params);
    const init = { method, headers: headersOf(options, parts), body: bodyOf(parts) };
    const retries = new Retries(options, isRepeatable(method, init.headers));
    for (;;) {
      try {
        return await this.attempt(url, init, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof APIError || error instanceof APIConnectionError)) throw error;
        const pause = retries.pause(error);
        if (pause === undefined) throw error;
        const cause = error instanceof APIError ? `${error.status} ${error.code}` : error.name;
        options.logger?.info(`${method} ${shown(url)} is repeated in ${seconds(pause)} s after ${cause}`);
        await sleep(pause, options.signal);
      }
    }
  }

  private async attempt(url: URL, init: RequestInit, options: Options): Promise<Response> {
    for (let wait; options.isPaced && (wait = this.rateLimit.reserve()) > 0; ) await sleep(wait, options.signal);
    const began = performance.now();
    const [response, body] = await exchange(url, init, options);
    this.rateLimit.note(response.headers);
    const outcome = `${response.status} in ${seconds(performance.now() - began)} s`;
    const requestId = response.headers.get("X-Request-Id");
    options.logger?.debug(`${init.method} ${shown(url)}: ${outcome}, request ${requestId}`);
    if (!response.ok) throw apiError(response, new TextDecoder().decode(body));
    return new Response(body.byteLength ? body : null, response);
  }
}

/** A response with its whole body, since both can be lost. */
async function exchange(url: URL, init: RequestInit, options: Options): Promise<[Response, ArrayBuffer]> {
  const time = timeoutOf(options, url.searchParams.get("wait") === "true");
  const send = options.fetch;
  try {
    return await withDeadline(time, options.signal, async (signal) => {
      const response = await send(url, { ...init, signal, redirect: "manual" });
      return [response, await response.arrayBuffer()];
    });
  } catch (error) {
    throw connectionError(error);
  }
}

function urlOf(options: Options, path: string, params: object = {}): URL {
  const url = new URL(/^https?:/.test(path) ? path : options.url + path);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, queryText(value));
  }
  return url;
}

function headersOf(options: Options, parts: Parts): Headers {
  const headers = new Headers(parts.headers);
  if (options.key && parts.hasKey !== false) headers.set("Authorization", `Bearer ${options.key}`);
  if (parts.json !== undefined) headers.set("Content-Type", "application/json");
  return headers;
}

function bodyOf(parts: Parts): FormData | string | null {
  return parts.form ?? (parts.json === undefined ? null : JSON.stringify(parts.json));
}

/** A path that may be logged. */
function shown(url: URL): string {
  const [start, link] = url.pathname.split(LINKS);
  return link === undefined ? url.pathname : `${start}${LINKS}...`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
