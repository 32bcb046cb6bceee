// One cell of a table.

import { valueOf } from "./values.js";

export class Cell {
  /** `citation` is where the row is printed, null if that is not known. */
  constructor(input, desk, citation) {
    Object.assign(this, { input, desk, citation, element: input.closest("td"), kind: input.dataset.kind });
    this.label = input.getAttribute("aria-label");
    input.addEventListener("focus", () => desk.enter(this));
    input.addEventListener("change", () => this.#normalise());
  }

  valueOf(text) {
    return text.trim() === "" ? null : valueOf(this.kind, text, this.desk.hints);
  }

  /** The value of the cell; null for none, and for a text that is no value. */
  get value() {
    return this.valueOf(this.input.value);
  }

  get isWrong() {
    return this.input.value.trim() !== "" && this.value === null;
  }

  #normalise() {
    this.input.setAttribute("aria-invalid", String(this.isWrong));
    if (!this.isWrong) this.input.value = this.value ?? "";
  }
}
