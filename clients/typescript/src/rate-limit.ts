/** The rate limit of a key, as the headers of its responses report it. */

export class RateLimit {
  private limit = 0;
  private remaining = 0;
  private ends: number | undefined;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Take one call of the window: 0. Or, if none is left, the milliseconds until the next window. */
  reserve(): number {
    const now = this.clock();
    if (this.ends === undefined) return 0;
    if (now >= this.ends) {
      // Until a response says more; another program with this key may use it, too.
      this.ends = undefined;
      this.remaining = this.limit;
      return 0;
    }
    if (this.remaining > 0) {
      this.remaining -= 1;
      return 0;
    }
    return this.ends - now;
  }

  /** Read the headers of a response. */
  note(headers: Headers): void {
    const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) => {
      const text = headers.get(`X-RateLimit-${name}`) ?? "";
      return /^\d+$/.test(text) ? Number(text) : undefined;
    });
    if (limit === undefined || remaining === undefined || reset === undefined) return;
    const ends = this.clock() + Math.max(reset * 1000 - serverTime(headers), 0);
    // Responses overtake each other: within a window, the lowest number is the newest.
    const isSame = this.ends !== undefined && Math.abs(ends - this.ends) < 1500;
    this.remaining = isSame ? Math.min(remaining, this.remaining) : remaining;
    this.limit = limit;
    if (!isSame) this.ends = ends;
  }
}

/** Now by the clock that `X-RateLimit-Reset` is read from. */
function serverTime(headers: Headers): number {
  const time = Date.parse(headers.get("Date") ?? "");
  return Number.isNaN(time) ? Date.now() : time;
}
