/** How a client calls the service. Times are in milliseconds. */

// The service holds a call for up to 60 s.
const HELD = 60_000;

/** Where log entries go, such as `console`. They contain neither keys nor documents. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
}

/** What can differ from call to call. */
export interface CallOptions {
  /** For each attempt as a whole. A call that waits for an invoice may take 60 s longer. */
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  /** Ends the call and its retries. */
  signal?: AbortSignal | undefined;
}

/** Where the service is, with which key, and how patiently it is called. */
export interface Options {
  readonly url: string;
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly logger: Logger | undefined;
  readonly timeout: number;
  readonly maxRetries: number;
  /** Before the first retry; each further one takes up to twice as long, at most 8 s. */
  readonly backoff: number;
  /** Wait for the next minute instead of running into the rate limit. */
  readonly isPaced: boolean;
  readonly signal?: AbortSignal;
}

/** The options with those of a call. */
export function withCallOptions<Kept extends Options>(options: Kept, call: CallOptions): Kept {
  const given = Object.entries(call).filter(([, value]) => value !== undefined);
  return { ...options, ...Object.fromEntries(given) };
}

/** How long an attempt may take. */
export function timeoutOf(options: Options, isHeld: boolean): number {
  return isHeld ? options.timeout + HELD : options.timeout;
}
