// One invoice on the review screen: its pages, its fields and its lines, joined.

import { announce } from "../shell/shell.js";
import { Coding } from "./coding.js";
import { Entry } from "./entry.js";
import { Lines } from "./lines.js";
import { Pages } from "./pages.js";
import { ask, Saver } from "./saver.js";
import { showChecks } from "./checks.js";
import { isSame, valueOf } from "./values.js";
import { find, writesMonthFirst } from "./words.js";

const STATES = { saved: "Saved", saving: "Saving …", away: "Not saved: the service does not answer. Trying again.", "signed-out": "Not saved: you are signed out." };

export class ReviewScreen {
  constructor(root, data) {
    Object.assign(this, { root, data, current: null, hints: { monthFirst: data.fields.currency?.value === "USD" } });
    this.notation = data.notation;
    this.locale = document.documentElement.dataset.locale;
    this.address = `/app/review/${data.id}/data`;
    this.saver = new Saver(this.address, `review:${data.person}:${data.id}`, data.revision, {
      saved: (review, change) => this.#saved(review, change),
      isUntouched: (change, review) => this.#isUntouched(change, review),
      conflict: (change, review) => this.#conflict(change, review),
      refused: (change, words) => this.#refused(change, words),
      state: (word) => this.#state(word),
    });
    this.pages = new Pages(root.querySelector(".leaves"), (picked) => this.picked(picked));
    this.entries = [...root.querySelectorAll(".entry")].map((element) => this.#entryOf(element));
    this.tables = [...root.querySelectorAll(".grid")].map((element) => new Lines(element, this));
    const coding = root.querySelector("#coding");
    this.coding = coding && new Coding(coding, (body) => this.saver.save({ name: "", body }));
    for (const entry of this.entries) entry.say();
    this.#restore();
    this.sum();
  }

  #entryOf(element) {
    const name = element.dataset.field;
    return new Entry(element, this.data.fields[name], this.data.entries.fields[name], this);
  }

  get currency() {
    return this.entries.find((entry) => entry.name === "currency")?.value || "";
  }

  /** Takes the words of the pages, one page after the other; the given ones are there already. */
  async loadWords(known = new Map()) {
    for (const { page } of this.data.pages) {
      if (this.isClosed) return;
      const found = known.get(page) ?? (await ask(`/app/review/${this.data.id}/words/${page}`).catch(() => ({ words: [] })));
      this.pages.setWords(page, found.words);
    }
    this.hints = { monthFirst: writesMonthFirst(this.pages.words, this.hints.monthFirst) };
    this.root.dataset.words = "all";
    if (this.current) this.pages.setKind(this.current.kind, this.hints);
  }

  /** Goes to the first field that needs a look. */
  start() {
    this.next(null);
  }

  /** A field or a cell of the lines has the focus. */
  enter(entry) {
    const before = this.current;
    this.current = entry;
    if (before && before !== entry) before.element.classList.remove("is-current");
    entry.element.classList.add("is-current");
    entry.crop?.();
    entry.element.scrollIntoView({ block: "nearest" });
    this.pages.setKind(entry.kind, this.hints);
    this.pages.show(entry.citation);
    this.onShow?.(entry);
  }

  /** To the next field in doubt after this one; when there is none, to the button that confirms. */
  next(entry, step = 1) {
    const order = step > 0 ? this.entries : [...this.entries].reverse();
    const place = order.indexOf(entry);
    const others = [...order.slice(place + 1), ...order.slice(0, Math.max(place, 0))];
    const open = step > 0 ? others.find((each) => !each.isDecided) : others.find((each) => each.isDoubtful);
    if (open) {
      // A closed part of the form cannot have the focus.
      for (let part = open.element.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
      open.input.focus();
      open.input.select?.();
      return;
    }
    this.root.querySelector("[data-act=confirm]")?.focus();
    this.pages.show(null);
    announce("All values are checked. Ctrl+Enter confirms.");
  }

  /** Saves what stands in an input, if it is another value. False if it is none. */
  commit(entry) {
    const value = entry.value;
    if (value === undefined) {
      announce(entry.echo.textContent);
      return false;
    }
    if (entry.isChanged) this.#save(entry, value, this.#placeOf(entry, value));
    else if (entry.input.value !== entry.savedText) entry.reset();
    return true;
  }

  /** Where the value is printed: where it was picked, or the one place that has it. */
  #placeOf(entry, value) {
    const picked = entry.citation !== entry.field.citation ? entry.citation : null;
    if (value === null || (picked && isSame(entry.kind, valueOf(entry.kind, picked.text ?? "", this.hints), value))) return picked;
    const places = find(this.pages.words, entry.kind, value, this.hints);
    entry.say(this.pages.words.size ? places : null);
    return places.length === 1 ? places[0] : null;
  }

  #save(entry, value, place) {
    const citation = place && { page: place.page, box: place.box, text: place.text ?? "" };
    entry.citation = citation;
    if (entry === this.current) {
      entry.crop();
      this.pages.show(citation);
    }
    entry.decide();
    const text = entry.input.value.trim();
    const fields = { [entry.name]: { value: text || null, citation } };
    this.saver.save({ name: entry.name, base: entry.saved, body: { fields, language: this.locale } });
    entry.saved = value ?? "";
    entry.savedText = text;
    this.sum();
  }

  /** The value is right: a doubtful one is noted as looked at. */
  accept(entry) {
    const was = entry.isChanged;
    if (!this.commit(entry)) return;
    if (entry.isDoubtful && !entry.isDecided && !was) this.#save(entry, entry.value, entry.citation);
    this.next(entry);
  }

  /** Takes a candidate, from 1. */
  choose(entry, number) {
    const candidate = entry?.field?.candidates?.[number - 1];
    if (!candidate) return;
    entry.fill(candidate.value, candidate.citation);
    this.#save(entry, candidate.value, candidate.citation);
    this.next(entry);
  }

  /** The value is not printed. */
  none(entry) {
    entry.fill(null, null);
    this.#save(entry, null, null);
    this.next(entry);
  }

  /** Words were picked on a page. */
  picked(picked) {
    if (!this.current || this.current.kind === "choice") return;
    if (this.tables.some((table) => table.takes(this.current, picked))) return;
    if (picked.value === null) return;
    this.current.fill(picked.value, { page: picked.page, box: picked.box, text: picked.text });
    this.#save(this.current, picked.value, this.current.citation);
    this.current.input.focus();
  }

  /** Takes back the last change that is saved, or takes it again. */
  step(name) {
    this.saver.save({ name: "", method: "POST", address: `/app/review/${this.data.id}/${name}`, body: {} });
  }

  /** Confirms or rejects; true once that is saved. */
  async conclude(body) {
    for (const entry of this.entries) {
      if (!this.commit(entry)) {
        entry.input.focus();
        return false;
      }
    }
    await this.commitTables();
    await this.saver.settled();
    const postings = body.status === "confirmed" ? this.coding?.postings : null;
    await this.saver.save({ name: "", body: postings ? { ...body, postings } : body });
    return this.data.status === body.status;
  }

  /** Saves what stands in the tables. */
  commitTables() {
    return Promise.all(this.tables.map((table) => table.commit()));
  }

  sum() {
    const values = Object.fromEntries(this.entries.map((entry) => [entry.name, entry.value || null]));
    const [lines, rates] = this.tables.map((table) => table.values());
    showChecks(this.root, values, lines, rates, this.locale, this.currency);
  }

  /** Takes what the service has, except where somebody types, and where a later change is on its way. */
  take(review) {
    this.data = { ...this.data, ...review };
    for (const entry of this.entries) {
      const field = review.fields[entry.name];
      if (!field || this.saver.hasChange(entry.name)) continue;
      const isTouched = entry.isChanged;
      entry.take(field, review.entries.fields[entry.name]);
      if (!isTouched && entry.input.value !== entry.savedText) entry.reset();
    }
    for (const table of this.tables) if (!this.saver.hasChange(table.name)) table.take(review[table.name].value, review.entries[table.name]);
    this.root.querySelector("[data-act=undo]").disabled = !review.history.undo;
    this.root.querySelector("[data-act=redo]").disabled = !review.history.redo;
    this.sum();
  }

  /** The service has this revision: if it is another one, somebody has changed the invoice. */
  async news(revision) {
    if (revision === this.saver.revision || this.saver.running || this.isClosed) return;
    const review = await ask(this.address).catch(() => null);
    // What was asked before a change of one's own is older than the answer to it.
    if (!review || review.revision < this.saver.revision || this.saver.running || this.isClosed) return;
    this.saver.revision = review.revision;
    this.take(review);
  }

  #saved(review, change) {
    if (change.name) this.saver.note(change.name, null);
    this.take(review);
  }

  #isUntouched(change, review) {
    const table = this.tables.find((each) => each.name === change.name);
    if (table) return table.isSame(review[table.name].value, change.base);
    return change.name !== "" && (review.fields[change.name]?.value ?? "") === (change.base ?? "");
  }

  #conflict(change, review) {
    const theirs = review.entries.fields[change.name];
    this.take(review);
    const notice = this.root.querySelector(".conflict");
    notice.hidden = false;
    const entry = this.entries.find((each) => each.name === change.name);
    const mine = change.body.fields?.[change.name];
    notice.querySelector("span").textContent = entry
      ? `${entry.label}: somebody else saved “${theirs || "not printed"}” while you entered “${mine.value ?? "not printed"}”.`
      : "Somebody else has changed this invoice. Check it again.";
    const use = notice.querySelector("[data-use]");
    use.hidden = !mine;
    use.onclick = () => {
      notice.hidden = true;
      entry.enter(mine.value ?? "", mine.citation);
      this.#save(entry, entry.value, mine.citation);
    };
    notice.querySelector("[data-keep]").onclick = () => (notice.hidden = true);
    if (entry) entry.reset();
    announce(notice.querySelector("span").textContent);
  }

  #refused(change, words) {
    const entry = this.entries.find((each) => each.name === change.name);
    if (entry) {
      entry.input.setAttribute("aria-invalid", "true");
      entry.echo.textContent = words;
    }
    announce(words);
    this.#say(words);
  }

  #state(word) {
    this.#say(STATES[word], word);
    this.root.querySelector("[data-sign-in]").hidden = word !== "signed-out";
  }

  #say(text, word = "refused") {
    const place = this.root.querySelector(".saving");
    place.textContent = text;
    place.dataset.state = word;
  }

  /** What an earlier visit of the tab left unsaved is there again. */
  #restore() {
    const { texts, waiting } = this.saver.drafts();
    for (const [name, text] of Object.entries(texts)) {
      const entry = this.entries.find((each) => each.name === name);
      if (entry) entry.input.value = text;
      entry?.say();
    }
    for (const change of waiting) this.saver.save(change);
  }

  /** The screen moves on; what waits to be saved still is. */
  dispose() {
    this.isClosed = true;
    this.pages.dispose();
  }
}
