// Makes the columns of tables with `data-columns` as wide as the person wants: by dragging the end of a heading, or by
// keyboard, where it is a separator.

import { onContent } from "./shell.js";

const LEAST = 48;
const MOST = 960;
const STEP = 16;

const bounded = (width) => Math.min(Math.max(Math.round(width), LEAST), MOST);

class Handle {
  constructor(heading, table) {
    Object.assign(this, { heading, table, column: heading.dataset.column });
    this.element = document.createElement("span");
    this.element.className = "column-handle";
    const name = heading.textContent.trim();
    const attributes = { role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": `Width of ${name}`, "aria-valuemin": LEAST, "aria-valuemax": MOST };
    for (const [key, value] of Object.entries(attributes)) this.element.setAttribute(key, value);
    this.element.title = "Drag, or use the arrow keys; double-click or Enter fits the column, Delete resets it";
    // The name of the column is read with each cell; its handle is not a part of it.
    heading.setAttribute("aria-label", name);
    heading.append(this.element);
    this.element.addEventListener("pointerdown", (event) => this.#drag(event));
    this.element.addEventListener("dblclick", () => this.fit());
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focus", () => this.#say());
    this.#say();
  }

  get width() {
    return Math.round(this.heading.getBoundingClientRect().width);
  }

  #say() {
    this.element.setAttribute("aria-valuenow", bounded(this.width));
    this.element.setAttribute("aria-valuetext", `${this.width} pixels`);
  }

  set(width) {
    globalThis.columnWidths.set(this.table.dataset.columns, this.column, width === null ? null : bounded(width));
    this.#say();
  }

  /** As wide as its longest text, on one line. */
  fit() {
    this.set(null);
    this.table.dataset.fits = "";
    const cells = [...this.table.querySelectorAll(`[data-column="${CSS.escape(this.column)}"]`)];
    const widths = cells.map((cell) => contentWidth(cell));
    delete this.table.dataset.fits;
    this.set(Math.max(...widths));
  }

  #drag(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.element.focus();
    const start = event.clientX - this.width;
    const move = (moved) => this.set(moved.clientX - start);
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("lostpointercapture", () => this.element.removeEventListener("pointermove", move), { once: true });
  }

  #key(event) {
    const width = { ArrowLeft: this.width - STEP, ArrowRight: this.width + STEP, Home: LEAST, End: MOST, Delete: null }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter") this.fit();
    else if (width === undefined) return;
    else this.set(width);
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The width that a cell needs for its content on one line, with its padding. */
function contentWidth(cell) {
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
  const input = cell.querySelector("input:not([type=checkbox])");
  if (input) return padding + textWidth(input.value, getComputedStyle(input).font) + 2 * STEP;
  const range = document.createRange();
  range.selectNodeContents(cell);
  const handle = cell.querySelector(".column-handle");
  if (handle) range.setEndBefore(handle);
  return padding + range.getBoundingClientRect().width + 2;
}

let canvas = null;

function textWidth(text, font) {
  canvas ??= document.createElement("canvas").getContext("2d");
  canvas.font = font;
  return canvas.measureText(text).width;
}

/** Gives the tables in a part of the page their handles. */
export function makeResizable(root) {
  for (const table of root.querySelectorAll("[data-columns]")) {
    for (const heading of table.querySelectorAll("th[data-column]:not(:has(.column-handle))")) new Handle(heading, table);
  }
}

onContent(makeResizable);
