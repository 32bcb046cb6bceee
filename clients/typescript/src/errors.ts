/** What can go wrong. Everything that the client throws on purpose is an `InvoicesError`. */

import type { Invoice } from "./models.js";

/** Any error of this client. */
export class InvoicesError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

interface Detail {
  type?: string;
  code?: string;
  message?: string;
  param?: string | null;
}

/** The service refused a call. `code` is for programs, `message` for people; the API reference lists the codes. */
export class APIError extends InvoicesError {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  /** Whether the service may have done what was asked, in the last attempt or an earlier one. */
  isUncertain: boolean;

  constructor(response: Response, detail: Detail) {
    const requestId = response.headers.get("X-Request-Id");
    const message = detail.message ?? response.statusText;
    super(`${response.status} ${detail.code ?? ""}: ${message} (request ${requestId})`);
    this.status = response.status;
    this.headers = response.headers;
    this.type = detail.type ?? "";
    this.code = detail.code ?? "";
    this.param = detail.param ?? null;
    this.requestId = requestId;
    this.isUncertain = this.status >= 500 || this.code === "idempotency_in_flight";
  }

  /** The milliseconds after which the service asks to try again. */
  get retryAfter(): number | undefined {
    const text = this.headers.get("Retry-After") ?? "";
    return /^\d+$/.test(text) ? Number(text) * 1000 : undefined;
  }
}

/** The request must be changed: `param` names the cause. */
export class InvalidRequestError extends APIError {}

/** The key is missing, unknown, revoked, or not allowed to do this. */
export class AuthenticationError extends APIError {}

/** The account has no such object. */
export class NotFoundError extends APIError {}

/** Too many calls, also after the retries. */
export class RateLimitError extends APIError {}

/** The account has used its extractions of this month. Repeating the call does not help. */
export class QuotaExceededError extends APIError {}

/** The service could not do it now, also after the retries. */
export class ServiceError extends APIError {}

/** No answer arrived, also after the retries. */
export class APIConnectionError extends InvoicesError {
  /** Whether the service may have done what was asked, in the last attempt or an earlier one. */
  isUncertain: boolean;

  constructor(message: string, options: { cause?: unknown; isUncertain: boolean }) {
    super(message, { cause: options.cause });
    this.isUncertain = options.isUncertain;
  }
}

/** No answer arrived in time. */
export class APITimeoutError extends APIConnectionError {}

/** The invoice was accepted, but not finished before the deadline. `invoice` is its last state. */
export class WaitTimeoutError extends InvoicesError {
  constructor(readonly invoice: Invoice) {
    super(`invoice ${invoice.id} is still ${invoice.status}`);
  }
}

/**
 * A document was sent in an earlier run without an answer, too long ago to repeat it safely. Look for its invoice
 * before you send it again with another journal.
 */
export class UnconfirmedError extends InvoicesError {}

/** A webhook is not signed with any of the secrets, or too old. */
export class WebhookVerificationError extends InvoicesError {}

const CLASSES = new Map<string, typeof APIError>([
  ["invalid_request_error", InvalidRequestError],
  ["authentication_error", AuthenticationError],
  ["not_found", NotFoundError],
  ["rate_limit_error", RateLimitError],
  ["quota_exceeded", QuotaExceededError],
  ["api_error", ServiceError],
]);

/** The error of an unsuccessful response, in the class of its type. A proxy's answer has none of the types. */
export function apiError(response: Response, body: string): APIError {
  const detail = detailOf(body);
  return new (CLASSES.get(detail.type ?? "") ?? APIError)(response, detail);
}

function detailOf(body: string): Detail {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === "object" && error !== null ? (error as Detail) : {};
  } catch {
    return {};
  }
}
