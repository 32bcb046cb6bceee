// One cell of a table.

import { readEntry, writeEntry } from "./notation.js";

export class Cell {
  /** `citation` is where the row is printed, null if that is not known. */
  constructor(input, screen, citation) {
    Object.assign(this, { input, screen, citation, element: input.closest("td"), kind: input.dataset.kind });
    this.label = input.getAttribute("aria-label");
    input.addEventListener("focus", () => screen.enter(this));
    input.addEventListener("change", () => input.setAttribute("aria-invalid", String(this.isWrong)));
  }

  /** The value of a text in the person's language; null for none. */
  valueOf(text) {
    return text.trim() === "" ? null : readEntry(this.kind, text, this.screen.notation);
  }

  /** Puts a value in; `place` is where it was picked. */
  fill(value, place = null) {
    this.input.value = writeEntry(this.kind, value, this.screen.notation);
    this.picked = place && { place, text: this.input.value };
  }

  /** Where its value was picked; null if it was typed. */
  get pickedPlace() {
    return this.picked?.text === this.input.value ? this.picked.place : null;
  }

  /** The value of the cell; null for none, and for a text that is no value. */
  get value() {
    return this.valueOf(this.input.value);
  }

  get isWrong() {
    return this.input.value.trim() !== "" && this.value === null;
  }
}
