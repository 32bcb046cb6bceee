// A table of the invoice as a grid: keys, rows, words into cells, columns at once, cells from a spreadsheet.

import { Cell } from "./cell.js";
import { writeEntry } from "./notation.js";
import { columnOf, merged, rowsOf, split } from "./rows.js";
import { isSame, shown, valueOf } from "./values.js";

const OWN = "custom.";
const ownName = (column) => column.slice(OWN.length);
const ownOf = (row, column) => (column.startsWith(OWN) ? row?.custom?.[ownName(column)] : undefined);

/** Where a cell of a row is printed, or else the row. */
const placeOf = (row, column) => ownOf(row, column)?.citation ?? row?.citation ?? null;

export class Lines {
  constructor(root, screen) {
    Object.assign(this, { root, screen, name: root.dataset.table, body: root.querySelector("tbody"), takesColumn: false });
    this.read = root.querySelector("[data-read]");
    this.template = root.querySelector("template").content.firstElementChild;
    this.columns = [...this.template.querySelectorAll("input")].map((input) => input.dataset.cell);
    this.kinds = [...this.template.querySelectorAll("input")].map((input) => input.dataset.kind);
    this.saved = screen.data[this.name].value;
    this.savedTexts = screen.data.entries[this.name];
    this.#adopt();
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("paste", (event) => this.#paste(event));
    root.addEventListener("input", () => this.#typed());
    root.addEventListener("change", () => this.commit());
    for (const button of root.querySelectorAll("[data-row]")) {
      button.addEventListener("click", (event) => {
        event.preventDefault();
        this.act(button.dataset.row);
      });
    }
  }

  #adopt() {
    this.cells = [...this.body.rows].map((row, number) =>
      [...row.querySelectorAll("input")].map((input) => new Cell(input, this.screen, placeOf(this.saved[number], input.dataset.cell))),
    );
  }

  get place() {
    const row = this.cells.findIndex((cells) => cells.includes(this.screen.current));
    return { row, column: row < 0 ? 0 : this.cells[row].indexOf(this.screen.current) };
  }

  /** The rows as they stand, plain decimals and texts. */
  values() {
    return this.cells.map((cells) => Object.fromEntries(cells.map((cell, number) => [this.columns[number], cell.value ?? null])));
  }

  /** Takes the rows of the service, with their texts in the person's language, unless somebody has changed them here. */
  take(rows, texts) {
    const isTouched = !this.isSame(this.values(), this.saved);
    Object.assign(this, { saved: rows, savedTexts: texts });
    if (isTouched) return;
    if (!this.isSame(this.values(), rows)) this.#show(this.#plain(rows));
    this.#showTexts();
  }

  #showTexts() {
    this.cells.forEach((cells, row) =>
      cells.forEach((cell, column) => {
        const text = this.savedTexts[row]?.[this.columns[column]] ?? "";
        if (cell.input.value !== text) cell.input.value = text;
      }),
    );
    this.read.textContent = "";
  }

  /** Says what was understood of a cell. */
  #typed() {
    const cell = this.screen.current;
    const text = cell.isWrong ? `“${cell.input.value}” is not a clear ${cell.kind === "date" ? "date" : "number"}.` : shown(cell.kind, cell.value, this.screen.locale, this.screen.currency);
    this.read.textContent = cell.kind === "text" ? "" : text;
    this.screen.sum();
  }

  /** Whether two lists of rows have the same values, wherever these are printed. */
  isSame(rows, others) {
    const isEqual = (column, one, other) => (this.kinds[column] === "text" ? one === other : isSame(this.kinds[column], one, other));
    const [left, right] = [this.#plain(rows), this.#plain(others)];
    return left.length === right.length && left.every((row, at) => this.columns.every((name, column) => isEqual(column, row[name], right[at][name])));
  }

  #show(rows, { row, column } = this.place) {
    const hadFocus = this.root.contains(document.activeElement);
    this.body.replaceChildren(
      ...rows.map((values, number) => {
        const made = this.template.cloneNode(true);
        made.querySelectorAll("input").forEach((input) => {
          input.value = writeEntry(input.dataset.kind, values[input.dataset.cell], this.screen.notation);
          input.name = `${this.name}-${number}-${input.dataset.cell}`;
          input.setAttribute("aria-label", `${input.dataset.label}, line ${number + 1}`);
        });
        return made;
      }),
    );
    this.#adopt();
    if (hadFocus) this.#go(Math.min(Math.max(row, 0), rows.length - 1), column);
    this.screen.sum();
  }

  /** Saves the rows if they are others than the saved ones. */
  commit() {
    const rows = this.values();
    if (this.cells.some((cells) => cells.some((cell) => cell.isWrong))) return Promise.resolve();
    if (this.isSame(rows, this.saved)) {
      this.#showTexts();
      return Promise.resolve();
    }
    const base = this.saved;
    Object.assign(this, { saved: rows, savedTexts: this.#texts() });
    return this.screen.saver.save({ name: this.name, base, body: { [this.name]: this.#rows(), language: this.screen.locale } });
  }

  /** The rows as they stand in the inputs. */
  #texts() {
    return this.cells.map((cells) => Object.fromEntries(cells.map((cell, number) => [this.columns[number], cell.input.value.trim() || null])));
  }

  /** The same as the service takes them: own fields with the places where they were picked. */
  #rows() {
    return this.savedTexts.map((texts, row) => {
      const [own, others] = [true, false].map((isOwn) => Object.entries(texts).filter(([name]) => name.startsWith(OWN) === isOwn));
      if (!own.length) return texts;
      const custom = own.map(([name, value]) => [ownName(name), { value, citation: this.cells[row][this.columns.indexOf(name)].pickedPlace }]);
      return { ...Object.fromEntries(others), custom: Object.fromEntries(custom) };
    });
  }

  #change(rows, place) {
    this.#show(rows, place);
    this.commit();
  }

  #go(row, column) {
    const cell = this.cells[row]?.[column];
    cell?.input.focus();
    cell?.input.select();
    return cell !== undefined;
  }

  /** Does something to the row that has the focus. */
  act(name) {
    const rows = this.values();
    const { row, column } = this.place;
    const to = { up: row - 1, down: row + 1 }[name];
    if (name === "column") {
      this.takesColumn = true;
      this.root.querySelector(".taking").hidden = false;
      return;
    }
    if (name === "insert") this.#change(rows.toSpliced(row + 1, 0, this.#blank()), { row: row + 1, column: 0 });
    if (row < 0) return;
    if (name === "delete") this.#change(rows.toSpliced(row, 1), { row, column });
    if (name === "merge" && row + 1 < rows.length) this.#change(rows.toSpliced(row, 2, merged(rows[row], rows[row + 1])), { row, column });
    if (name === "split") this.#change(rows.toSpliced(row, 1, ...split(rows[row], this.screen.current.input.selectionStart)), { row: row + 1, column });
    if (to >= 0 && to < rows.length) this.#change(rows.with(row, rows[to]).with(to, rows[row]), { row: to, column });
    this.root.querySelector("input")?.focus({ preventScroll: true });
    this.#go(Math.min(Math.max(this.place.row, 0), this.cells.length - 1), column);
  }

  #key(event) {
    const { row, column } = this.place;
    const input = event.target.closest("td input");
    if (!input) return;
    const act = { "Alt+ArrowUp": "up", "Alt+ArrowDown": "down", "Alt+i": "insert", "Alt+m": "merge", "Alt+s": "split", "Ctrl+Delete": "delete" }[
      `${event.altKey ? "Alt+" : event.ctrlKey ? "Ctrl+" : ""}${event.key}`
    ];
    const edge = input.selectionStart === input.selectionEnd || input.selectionEnd - input.selectionStart === input.value.length;
    if (act) this.act(act);
    else if (event.ctrlKey || event.altKey || event.metaKey) return;
    else if (event.key === "ArrowUp") this.#go(row - 1, column);
    else if (event.key === "ArrowDown") this.#go(row + 1, column);
    else if (event.key === "ArrowLeft" && edge && input.selectionStart === 0 && this.#go(row, column - 1)) void 0;
    else if (event.key === "ArrowRight" && edge && input.selectionEnd === input.value.length && this.#go(row, column + 1)) void 0;
    else if (event.key === "Enter" && !this.#go(row + 1, column)) this.act("insert");
    else if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
  }

  #paste(event) {
    const table = rowsOf(event.clipboardData.getData("text/plain"));
    const { row, column } = this.place;
    if (row < 0 || (table.length === 1 && table[0].length === 1)) return;
    event.preventDefault();
    const values = table.map((texts) => texts.map((text, across) => this.cells[0][column + across]?.valueOf(text)));
    this.#fill(values, row, column);
  }

  /** Puts values into the cells from one on, with new rows below where they are needed. */
  #fill(table, row, column) {
    const rows = this.values();
    table.forEach((values, down) => {
      rows[row + down] ??= this.#blank();
      values.slice(0, this.columns.length - column).forEach((value, across) => {
        rows[row + down][this.columns[column + across]] = value;
      });
    });
    this.#change(rows, { row, column });
  }

  /** Whether words that were picked belong into the table; then they are there. */
  takes(cell, picked) {
    const { row, column } = this.place;
    if (row < 0) return false;
    if (this.takesColumn && picked.band) {
      this.takesColumn = false;
      this.root.querySelector(".taking").hidden = true;
      const texts = columnOf(picked.words, cell.kind, this.screen.hints);
      this.#fill(texts.map((text) => [valueOf(cell.kind, text, this.screen.hints)]), row, column);
      return true;
    }
    if (picked.value === null) return true;
    cell.fill(picked.value, { page: picked.page, box: picked.box, text: picked.text ?? "" });
    this.screen.sum();
    this.commit();
    cell.input.focus();
    return true;
  }

  #blank() {
    return Object.fromEntries(this.columns.map((column) => [column, null]));
  }

  /** The rows without what the service adds to them. */
  #plain(rows) {
    return (rows ?? []).map((row) => Object.fromEntries(this.columns.map((column) => [column, row[column] ?? ownOf(row, column)?.value ?? null])));
  }
}
