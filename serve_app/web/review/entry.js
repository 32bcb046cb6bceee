// One field: its input, what was understood, its reason and candidates, and the piece of the page above it.

import { cropOf } from "./pages.js";
import { readEntry, writeEntry } from "./notation.js";
import { isSame, shown } from "./values.js";

export class Entry {
  constructor(element, field, text, screen) {
    Object.assign(this, { element, screen, name: element.dataset.field, kind: element.dataset.kind });
    this.input = element.querySelector("input, select");
    this.label = element.querySelector("label").textContent;
    this.echo = element.querySelector(".echo");
    this.isDecided = !element.classList.contains("is-doubtful");
    this.take(field, text);
    for (const button of element.querySelectorAll("[data-candidate]")) {
      button.tabIndex = -1;
      button.addEventListener("click", (event) => {
        event.preventDefault();
        screen.choose(this, Number(button.dataset.candidate));
      });
    }
    this.input.addEventListener("focus", () => screen.enter(this));
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("change", () => screen.commit(this));
  }

  /** What the service says of the field is so from now on; `text` is its value in the person's language. */
  take(field, text) {
    this.field = field;
    this.citation = field.citation ?? null;
    this.saved = field.value === null || field.value === undefined ? "" : String(field.value);
    this.savedText = text;
    const level = this.element.querySelector(".level");
    // The models' confidence is of what they read.
    if (level) level.hidden = Boolean(field.corrected);
  }

  get isDoubtful() {
    return this.element.classList.contains("is-doubtful");
  }

  /** The value in the input: null for none, undefined for a text that is no value of the kind. */
  get value() {
    const text = this.input.value.trim();
    if (text === this.savedText) return this.saved || null;
    return text === "" ? null : (readEntry(this.kind, text, this.screen.notation) ?? undefined);
  }

  get isChanged() {
    return this.input.value.trim() !== this.savedText && !(this.value && isSame(this.kind, this.value, this.saved || null));
  }

  typed() {
    this.screen.saver.note(this.name, this.input.value === this.savedText ? null : this.input.value);
    this.say();
    this.screen.sum();
  }

  /** Says below the input what was understood, and whether it is on the page. */
  say(places = null) {
    const value = this.value;
    const isWrong = value === undefined;
    this.input.setAttribute("aria-invalid", String(isWrong));
    if (isWrong) {
      this.echo.textContent = { money: "Not a clear amount.", date: "Not a date.", currency: "Not a currency. Enter a code such as EUR." }[this.kind] ?? "";
      return;
    }
    const linked = places === null ? "" : places.length === 0 && value !== null ? " Not found on the page." : "";
    const more = places && places.length > 1 ? ` Found ${places.length} times on the pages.` : "";
    const isTyped = ["money", "date"].includes(this.kind) && this.input.value.trim() !== this.savedText;
    const understood = isTyped ? shown(this.kind, value, this.screen.locale, this.screen.currency) : "";
    // That it is not printed is for a person to say.
    const nothing = this.field.decision || (this.isDoubtful && this.isDecided) ? "Not printed" : "";
    this.echo.textContent = value === null ? nothing : understood + linked + more;
    this.element.classList.toggle("is-edited", this.isChanged);
  }

  /** Puts a value in, as if it had been typed. */
  fill(value, citation) {
    this.enter(writeEntry(this.kind, value, this.screen.notation), citation);
  }

  /** The same with a text in the person's language. */
  enter(text, citation) {
    this.input.value = text;
    this.citation = citation;
    this.typed();
  }

  /** Back to what is saved. */
  reset() {
    this.enter(this.savedText, this.field.citation ?? null);
  }

  decide() {
    this.isDecided = true;
    this.element.classList.add("is-decided");
  }

  /** Shows the piece of the page that the value is on. */
  crop() {
    this.element.querySelector(".crop")?.remove();
    const leaf = this.citation && this.screen.root.querySelector(`.leaf[data-page="${this.citation.page}"]`);
    if (leaf) this.element.querySelector(".entry-row").before(cropOf(leaf, this.citation.box));
  }
}
