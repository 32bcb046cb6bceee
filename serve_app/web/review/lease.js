// Who works on the invoice: an opened review is its window's while the window shows signs of life.

import { ask } from "./saver.js";

const EVERY = 30_000;
const WINDOW = "review-window";

/** The name of this tab: it survives a reload. */
function windowName() {
  const name = sessionStorage.getItem(WINDOW) ?? crypto.randomUUID();
  sessionStorage.setItem(WINDOW, name);
  return name;
}

export class Lease {
  /** `onNews` is told what the service says: the revision, the next invoice, how much is done. */
  constructor(root, id, onNews) {
    Object.assign(this, { root, id, onNews, address: `/app/review/${id}/lease`, window: windowName(), isMine: true });
    this.timer = setInterval(() => this.renew(), EVERY);
    root.querySelector("[data-take-over]").addEventListener("click", () => this.renew({ take_over: true }));
  }

  /** Opens the review: from a window of one's own, which may be gone, without being asked. */
  open() {
    return this.renew({ opens: true });
  }

  /** Keeps the review open. */
  async renew(more = {}) {
    const body = { window: this.window, ...more };
    const lease = await ask(`${this.address}${this.root.dataset.state}`, "POST", body).catch(() => null);
    if (!lease || this.isClosed) return;
    this.isMine = lease.is_mine;
    const notice = this.root.querySelector(".lease");
    notice.hidden = lease.is_mine;
    notice.querySelector("span").textContent = lease.is_own
      ? "You have this invoice open in another window."
      : `${lease.name} has this invoice open.`;
    const decide = this.root.querySelector("fieldset.decide");
    decide.disabled = !lease.is_mine;
    // Without fields to enter, the keyboard scrolls the lists themselves.
    for (const list of decide.querySelectorAll("[role=region]")) {
      if (lease.is_mine) list.removeAttribute("tabindex");
      else list.tabIndex = 0;
    }
    this.onNews(lease);
  }

  /** The window moves on. */
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.timer);
    const body = new Blob([JSON.stringify({ window: this.window })], { type: "application/json" });
    if (this.isMine) navigator.sendBeacon(`${this.address}/release`, body);
  }
}
