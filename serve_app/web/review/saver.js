// Saves one change after the other, each on the revision that the one before it made. What is not saved yet lies in the
// tab's storage, so it survives a reload, a sign-out and a service that is away.

const PAUSES = [500, 1000, 2000, 4000, 8000];

export class SignedOut extends Error {}
export class Refused extends Error {}

/** Asks the service; JSON both ways. Throws SignedOut, Refused with the service's words, and TypeError or a plain Error
 * if the service is away. An answer of 409 is returned like one of 200, with `conflict` set. */
export async function ask(address, method = "GET", body = undefined) {
  const answer = await fetch(address, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    // The service answers a part of a page with 401, and a whole page with the way to the sign-in.
    headers: { "HX-Request": "true", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
  });
  if (answer.status === 401) throw new SignedOut();
  if (answer.status >= 500 || answer.status === 429) throw new Error(`answer ${answer.status}`);
  const found = await answer.json();
  if (answer.status === 409 && found.review) return { ...found.review, conflict: true };
  if (!answer.ok) throw new Refused(found.message);
  return found;
}

export class Saver {
  /** `calls` are told what happens: `saved(review, change)`, `conflict(change, review)`, `refused(change, words)` and
   * `state(word)`, which is saved, saving, away or signed-out; `isUntouched(change, review)` says whether nobody else
   * has changed what the change replaces. */
  constructor(address, key, revision, calls) {
    Object.assign(this, { address, key, revision, calls, waiting: [], running: null });
  }

  /** What an earlier visit of this tab left unsaved. */
  drafts() {
    try {
      return JSON.parse(sessionStorage.getItem(this.key) ?? "null") ?? { texts: {}, waiting: [] };
    } catch {
      return { texts: {}, waiting: [] };
    }
  }

  /** Notes what stands in an input before it is saved; null forgets it. */
  note(name, text) {
    const draft = this.drafts();
    if (text === null) delete draft.texts[name];
    else draft.texts[name] = text;
    this.#keep({ ...draft, waiting: this.waiting });
  }

  #keep(draft) {
    if (draft.waiting.length || Object.keys(draft.texts).length) sessionStorage.setItem(this.key, JSON.stringify(draft));
    else sessionStorage.removeItem(this.key);
  }

  /** Queues a change, `{name, base, body}`: of which field, the value that it replaces, and what is sent. A change of
   * the same field that still waits is replaced. Returns when everything queued until now is saved or refused. */
  save(change) {
    const sent = this.running ? 1 : 0;
    const same = this.waiting.findIndex((each, index) => index >= sent && change.name && each.name === change.name);
    if (same >= 0) this.waiting[same] = { ...change, base: this.waiting[same].base };
    else this.waiting.push(change);
    this.#keep({ ...this.drafts(), waiting: this.waiting });
    this.running ??= this.#run().finally(() => (this.running = null));
    return this.running;
  }

  /** Whether a change of the field is on its way; an answer to an earlier change does not know it. */
  hasChange(name) {
    return this.waiting.some((change) => change.name === name);
  }

  /** Returns when nothing waits. */
  async settled() {
    while (this.running) await this.running;
  }

  async #run() {
    let tries = 0;
    while (this.waiting.length) {
      const change = this.waiting[0];
      this.calls.state("saving");
      try {
        const { method = "PUT", address = this.address, body } = change;
        const review = await ask(address, method, { revision: this.revision, ...body });
        tries = 0;
        this.revision = review.revision;
        const isSaid = review.conflict && change.body?.status !== undefined && change.body.status === review.status;
        if (review.conflict && !isSaid && this.calls.isUntouched(change, review)) continue;
        this.#done();
        // Somebody else, or another window, has said the same: nothing is lost.
        if (review.conflict && !isSaid) this.calls.conflict(change, review);
        else this.calls.saved(review, change);
      } catch (error) {
        if (error instanceof Refused) {
          this.#done();
          this.calls.refused(change, error.message);
          continue;
        }
        this.calls.state(error instanceof SignedOut ? "signed-out" : "away");
        await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(tries++, PAUSES.length - 1)]));
      }
    }
    if (!this.waiting.length) this.calls.state("saved");
  }

  #done() {
    this.waiting.shift();
    this.#keep({ ...this.drafts(), waiting: this.waiting });
  }
}
