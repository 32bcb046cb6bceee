/** When a call is repeated, and after how long. */

import { APIConnectionError, APIError, APITimeoutError } from "./errors.js";
import type { Options } from "./options.js";
import { Late } from "./timing.js";

const LONGEST_PAUSE = 8_000;
// A longer `Retry-After` is not a matter of patience: the next day's limit, or a queue that is full.
const LONGEST_RETRY_AFTER = 120_000;
// The service lets an unanswered call hold its idempotency key for up to two minutes.
const LONGEST_HOLD = 150_000;
const REPEATABLE_METHODS = new Set(["GET", "PATCH", "DELETE"]);
// How Node and Bun name a connection that was never made. Elsewhere the cause is not known.
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "ConnectionRefused"]);

/** Whether a call that was received twice does the same as one that was received once. */
export function isRepeatable(method: string, headers: Headers): boolean {
  return REPEATABLE_METHODS.has(method) || headers.has("Idempotency-Key");
}

/** What `fetch` threw, as an error of this client. */
export function connectionError(cause: unknown): APIConnectionError {
  if (cause instanceof Late) return new APITimeoutError(cause.message, { cause, isUncertain: true });
  const inner = (cause as { cause?: unknown }).cause ?? cause;
  const code = (inner as { code?: unknown }).code;
  const isUncertain = typeof code !== "string" || !NOT_SENT.has(code);
  return new APIConnectionError(`${(cause as Error).message}${code ? ` (${String(code)})` : ""}`, { cause, isUncertain });
}

/** Those of one call. */
export class Retries {
  private attempt = 0;
  private holdLeft: number;
  private isUncertain = false;

  constructor(
    private readonly options: Pick<Options, "maxRetries" | "backoff">,
    private readonly repeatable: boolean,
  ) {
    this.holdLeft = options.maxRetries ? LONGEST_HOLD : 0;
  }

  /** Milliseconds until the call is repeated after this error; undefined if it is not. */
  pause(error: APIError | APIConnectionError): number | undefined {
    error.isUncertain = this.isUncertain = this.isUncertain || error.isUncertain;
    const asked = error instanceof APIError ? error.retryAfter : undefined;
    if (error instanceof APIError && error.code === "idempotency_in_flight") {
      // No fault: an earlier attempt, perhaps of a service that was killed, still holds the key.
      const pause = asked || 1_000;
      this.holdLeft -= pause;
      return this.holdLeft >= 0 ? pause : undefined;
    }
    this.attempt += 1;
    const { maxRetries, backoff } = this.options;
    if (this.attempt > maxRetries || !this.mayBeRepeated(error)) return undefined;
    if (asked !== undefined && asked > LONGEST_RETRY_AFTER) return undefined;
    const grown = Math.min(backoff * 2 ** (this.attempt - 1), Math.max(LONGEST_PAUSE, backoff));
    // Clients that failed together do not come back together.
    return Math.max(asked ?? 0, grown * (0.5 + Math.random() / 2));
  }

  private mayBeRepeated(error: APIError | APIConnectionError): boolean {
    return isTransient(error) && (this.repeatable || !error.isUncertain);
  }
}

function isTransient(error: APIError | APIConnectionError): boolean {
  if (error instanceof APIConnectionError) return true;
  if (error.status === 429) return error.type !== "quota_exceeded";
  return error.status === 408 || error.status >= 500;
}
