/** What was sent, from which an interrupted run continues. */

import type { Invoice } from "./models.js";

// The service keeps idempotency keys for 24 hours; the last hour is for clocks and slow calls.
const KEY_LIFE = 23 * 3_600_000;

/** What is known of a document: the idempotency key of its call, since when it is used, and the invoice. */
export interface Entry {
  key: string;
  sentAt?: Date;
  invoice?: Invoice;
}

/** One step of a document. */
export interface Step {
  document: string;
  key?: string;
  sent_at?: string;
  refused?: string;
  invoice?: Invoice;
}

/** Whether an unanswered call is too old to be repeated with its key. */
export function isUnconfirmed({ invoice, sentAt }: Entry): boolean {
  return !invoice && sentAt !== undefined && Date.now() - sentAt.getTime() > KEY_LIFE;
}

/** Notes each step of a document before the next one. This one forgets them with the program. */
export class Journal {
  private readonly entries = new Map<string, Entry>();

  /** The entry of a document, and its name in `sent`, `refused` and `answered`. A changed file is another one. */
  async find(name: string, data: Uint8Array<ArrayBuffer>): Promise<[string, Entry]> {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const document = `${hash} ${name}`;
    return [document, this.entry(document)];
  }

  /** Note that the document is about to be sent. */
  async sent(document: string): Promise<void> {
    const entry = this.entry(document);
    if (entry.sentAt === undefined) await this.note({ document, key: entry.key, sent_at: new Date().toISOString() });
  }

  /** Note that the service answered, and made no invoice. */
  async refused(document: string, code: string): Promise<void> {
    await this.note({ document, refused: code });
  }

  /** Note the invoice as it is now. */
  async answered(document: string, invoice: Invoice): Promise<void> {
    await this.note({ document, invoice });
  }

  /** After the last step. */
  async close(): Promise<void> {}

  /** Keep a step for later runs. */
  protected async keep(_step: Step): Promise<void> {}

  protected apply(step: Step): void {
    if (step.invoice) this.entry(step.document).invoice = step.invoice;
    else if (step.refused !== undefined) this.entries.set(step.document, newEntry());
    else if (step.key && step.sent_at) {
      this.entries.set(step.document, { key: step.key, sentAt: new Date(step.sent_at) });
    }
  }

  private async note(step: Step): Promise<void> {
    await this.keep(step);
    this.apply(step);
  }

  private entry(document: string): Entry {
    const entry = this.entries.get(document) ?? newEntry();
    this.entries.set(document, entry);
    return entry;
  }
}

function newEntry(): Entry {
  return { key: crypto.randomUUID() };
}
