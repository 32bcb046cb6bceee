// The codes of an invoice on the review screen. They are saved with the confirmation, or by themselves.

import { announce } from "../shell/shell.js";

const HIDDEN = "review-coding-hidden";

export class Coding {
  constructor(root, save) {
    Object.assign(this, { root, save });
    root.open = localStorage.getItem(HIDDEN) !== "1";
    root.addEventListener("toggle", () => (root.open ? localStorage.removeItem(HIDDEN) : localStorage.setItem(HIDDEN, "1")));
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => event.target.matches("input[list]") && (this.last = event.target));
    root.addEventListener("click", (event) => {
      const act = event.target.closest("[data-coding]")?.dataset.coding;
      if (act) this.#act(act);
    });
  }

  /** The postings as they stand in the table; null while it is hidden, or has no code. */
  get postings() {
    const rows = [...this.root.querySelectorAll("tbody tr")].map(postingOf);
    const hasCode = rows.some((row) => Object.values(row.codes).some((code) => code !== null));
    return this.root.open && hasCode ? rows : null;
  }

  #act(name) {
    const input = this.last ?? this.root.querySelector("tbody input[list]");
    if (name === "save" && this.postings) this.save({ postings: this.postings });
    if (name === "all") this.#fill(input);
    if (name === "split") this.#split(input.closest("tr"));
  }

  #key(event) {
    const act = event.altKey && !event.ctrlKey && { a: "all", s: "split", Enter: "save" }[event.key];
    const isDown = event.key === "Enter" && !event.altKey && !event.ctrlKey && !event.shiftKey;
    if (!event.target.matches("tbody input") || !(act || isDown)) return;
    event.preventDefault();
    event.stopPropagation();
    if (act) this.#act(act);
    else this.#below(event.target);
  }

  /** To the same column of the next row. */
  #below(input) {
    const row = input.closest("tr").nextElementSibling;
    row?.querySelector(`[data-code="${input.dataset.code}"]`)?.focus();
  }

  /** The code for all rows. */
  #fill(input) {
    for (const other of this.root.querySelectorAll(`tbody [data-code="${input.dataset.code}"]`)) {
      other.value = input.value;
      other.closest("td").classList.remove("is-doubtful");
    }
    announce("Used for all lines.");
  }

  /** Another share of the line, below. */
  #split(row) {
    const share = row.querySelector("[data-share]");
    const half = (Number(share.value.replace(",", ".") || "100") / 2).toString();
    const copy = row.cloneNode(true);
    const number = this.root.querySelectorAll("tbody tr").length;
    for (const input of copy.querySelectorAll("input")) {
      input.name = input.name.replace(/^coding-\d+/, `coding-${number}`);
      if (input.ariaLabel) input.ariaLabel = input.ariaLabel.replace(/row \d+/, `row ${number + 1}`);
    }
    share.value = half;
    copy.querySelector("[data-share]").value = half;
    row.after(copy);
    copy.querySelector("[data-share]").focus();
  }
}

function postingOf(row) {
  const codes = {};
  for (const input of row.querySelectorAll("[data-code]")) codes[input.dataset.code] = input.value.trim() || null;
  const share = row.querySelector("[data-share]").value.trim().replace(",", ".");
  return { line: Number(row.dataset.line) || null, share: share || null, codes };
}
