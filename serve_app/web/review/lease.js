// Who works on the invoice: an opened review is its reader's while the page shows signs of life.

import { ask } from "./saver.js";

const EVERY = 30_000;

export class Lease {
  /** `onNews` is told the revision that the service has. */
  constructor(root, id, onNews) {
    Object.assign(this, { root, address: `/app/review/${id}/lease`, onNews, isMine: true });
    this.holder = crypto.randomUUID();
    this.timer = setInterval(() => this.renew(), EVERY);
    root.querySelector("[data-take-over]")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.renew(true);
    });
    this.renew();
  }

  async renew(takeOver = false) {
    const lease = await ask(this.address, "POST", { holder: this.holder, take_over: takeOver }).catch(() => null);
    if (!lease || this.isClosed) return;
    this.isMine = lease.is_mine;
    const notice = this.root.querySelector(".lease");
    notice.hidden = lease.is_mine;
    notice.querySelector("b").textContent = lease.name ?? "";
    this.root.querySelector("fieldset.decide").disabled = !lease.is_mine;
    this.onNews(lease.revision);
  }

  close() {
    this.isClosed = true;
    clearInterval(this.timer);
    if (this.isMine) navigator.sendBeacon?.(`${this.address}/release`, new Blob([JSON.stringify({ holder: this.holder })], { type: "application/json" }));
  }
}
