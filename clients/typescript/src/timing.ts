/** Waiting that an AbortSignal ends. */

export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let stop = (): void => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, milliseconds);
      stop = () => reject(signal?.reason);
      signal?.addEventListener("abort", stop, { once: true });
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Thrown by `withDeadline` work when its time is over. */
export class Late extends Error {}

/** Work with a signal that is aborted by the caller's signal, or with `Late` when the time is over. */
export async function withDeadline<Result>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const pass = (): void => ending.abort(signal?.reason);
  const timer = setTimeout(() => ending.abort(new Late(`no answer in ${milliseconds} ms`)), milliseconds);
  signal?.addEventListener("abort", pass, { once: true });
  try {
    return await work(ending.signal);
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", pass);
  }
}

/**
 * The results as they come, of at most `limit` pieces of work at a time; a slow source holds up no result. What still
 * runs when the caller leaves is aborted.
 */
export async function* mapConcurrently<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  signal: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const running = new Map<number, Promise<{ id: number; result: Result }>>();
  let reading: Promise<IteratorResult<Item>> | undefined;
  const leaving = new AbortController();
  const pass = (): void => leaving.abort(signal?.reason);
  const aborted = rejection(leaving.signal);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", pass, { once: true });
  try {
    for (let id = 0, isEnd = false; !isEnd || running.size > 0; ) {
      if (!isEnd && running.size < limit) reading ??= quiet(Promise.resolve(source.next()));
      const first = await Promise.race([aborted, ...running.values(), ...(reading ? [reading] : [])]);
      if ("result" in first) {
        running.delete(first.id);
        yield first.result;
      } else {
        reading = undefined;
        isEnd = first.done === true;
        if (!first.done) {
          const current = id++;
          running.set(current, quiet(work(first.value, leaving.signal).then((result) => ({ id: current, result }))));
        }
      }
    }
  } finally {
    signal?.removeEventListener("abort", pass);
    leaving.abort(new Error("the caller has left"));
    await Promise.allSettled(running.values());
    // A source that is being read ends after that.
    quiet(Promise.resolve(source.return?.()));
  }
}

/** Rejects with the reason of a signal. */
function rejection(signal: AbortSignal): Promise<never> {
  return quiet(
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    }),
  );
}

/** A promise whose error is read later, or not at all. */
function quiet<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}
