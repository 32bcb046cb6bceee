// The pages of a document: scrolled, zoomed and turned; places are marked and words picked on them.

import { around, inBox, pick, runs, wordAt } from "./words.js";
import { isTelling } from "./values.js";

const ZOOMS = [0.5, 0.7, 1, 1.4, 2, 2.8, 4];
const SVG = "http://www.w3.org/2000/svg";
// A shorter way of the pointer is a click.
const DRAG = 0.008;

const element = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export class Pages {
  /** `root` holds the sheets; `onPick` is called with the page, the text, the value and the box of picked words. */
  constructor(root, onPick) {
    this.root = root;
    this.onPick = onPick;
    this.words = new Map();
    this.kind = "text";
    this.hints = {};
    this.zoom = 1;
    this.turned = 0;
    this.last = null;
    this.sheets = [...root.querySelectorAll(".leaf")].map((leaf) => this.#sheet(leaf));
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#cancel());
    root.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    // The picture of a page is loaded when the page comes near.
    this.seen = new IntersectionObserver((entries) => entries.filter((each) => each.isIntersecting).forEach((each) => this.#load(each.target)), {
      root,
      rootMargin: "800px",
    });
    for (const { leaf } of this.sheets) this.seen.observe(leaf);
  }

  dispose() {
    this.seen.disconnect();
  }

  #sheet(leaf) {
    const [, , width, height] = leaf.getAttribute("viewBox").split(" ").map(Number);
    return { leaf, face: leaf.querySelector(".face"), page: Number(leaf.dataset.page), width, height };
  }

  #load(leaf) {
    this.seen.unobserve(leaf);
    const image = leaf.querySelector("image[data-href]");
    if (image) image.setAttribute("href", image.dataset.href);
  }

  /** The words of a page have come. */
  setWords(page, words) {
    this.words.set(page, words);
    this.#lightUp(page);
    const text = this.root.querySelector(`[data-text="${page}"]`);
    if (text) text.textContent = words.map((word) => word.text).join(" ");
  }

  /** From now on a field of this kind is filled: only words of the kind light up and can be picked. */
  setKind(kind, hints) {
    if (kind === this.kind && hints.monthFirst === this.hints.monthFirst) return;
    [this.kind, this.hints] = [kind, hints];
    for (const page of this.words.keys()) this.#lightUp(page);
  }

  #lightUp(page) {
    const sheet = this.sheets.find((each) => each.page === page);
    const words = this.words.get(page);
    if (!sheet || !words) return;
    const lit = isTelling(this.kind) ? runs(words, this.kind, this.hints) : [];
    const outline = ({ box: [x0, y0, x1, y1] }) =>
      `M${x0 * sheet.width} ${y0 * sheet.height}H${x1 * sheet.width}V${y1 * sheet.height}H${x0 * sheet.width}Z`;
    this.#one(sheet, "path", "lit").setAttribute("d", lit.map(outline).join(""));
  }

  /** Marks a place, alone, and brings it into view; null marks nothing. */
  show(place) {
    for (const sheet of this.sheets) {
      const spot = this.#one(sheet, "rect", "spot");
      const isHere = place !== null && place.page === sheet.page;
      this.#frame(sheet, spot, isHere ? place.box : [0, 0, 0, 0]);
      if (isHere) this.#reveal(spot);
          }
  }

  #one(sheet, name, kind) {
    let made = sheet.face.querySelector(`.${kind}`);
    if (!made) {
      made = element(name, { class: kind });
      sheet.face.append(made);
    }
    return made;
  }

  #frame(sheet, rect, [x0, y0, x1, y1]) {
    const margin = x1 > x0 ? 0.004 : 0;
    rect.setAttribute("x", (x0 - margin) * sheet.width);
    rect.setAttribute("y", (y0 - margin) * sheet.height);
    rect.setAttribute("width", (x1 - x0 + 2 * margin) * sheet.width);
    rect.setAttribute("height", (y1 - y0 + 2 * margin) * sheet.height);
  }

  #reveal(spot) {
    const [box, view] = [spot.getBoundingClientRect(), this.root.getBoundingClientRect()];
    const isSeen = box.top >= view.top && box.bottom <= view.bottom && box.left >= view.left && box.right <= view.right;
    if (isSeen) return;
    this.root.scrollBy((box.left + box.right - view.left - view.right) / 2, (box.top + box.bottom - view.top - view.bottom) / 2);
  }

  /** Larger or smaller by steps; the point at `at` (of the window) stays where it is. */
  zoomBy(steps, at = null) {
    const nearest = ZOOMS.reduce((best, each) => (Math.abs(each - this.zoom) < Math.abs(best - this.zoom) ? each : best));
    const index = Math.min(Math.max(ZOOMS.indexOf(nearest) + steps, 0), ZOOMS.length - 1);
    this.setZoom(ZOOMS[index], at);
  }

  setZoom(zoom, at = null) {
    const view = this.root.getBoundingClientRect();
    const [x, y] = at ?? [view.left + view.width / 2, view.top + view.height / 2];
    const [left, top] = [this.root.scrollLeft + x - view.left, this.root.scrollTop + y - view.top];
    const factor = zoom / this.zoom;
    this.zoom = zoom;
    this.root.style.setProperty("--zoom", zoom);
    this.root.scrollTo(left * factor - (x - view.left), top * factor - (y - view.top));
  }

  fitWidth() {
    this.setZoom(1);
  }

  fitPage() {
    const sheet = this.sheets[0];
    if (!sheet) return;
    const box = sheet.leaf.getBoundingClientRect();
    this.setZoom(Math.min(1, (this.zoom * (this.root.clientHeight - 24)) / box.height));
  }

  /** Turns all pages by a quarter to the right. */
  turn() {
    this.turned = (this.turned + 90) % 360;
    for (const { leaf, face, width, height } of this.sheets) {
      const [across, down] = this.turned % 180 ? [height, width] : [width, height];
      const shift = { 0: [0, 0], 90: [height, 0], 180: [width, height], 270: [0, width] }[this.turned];
      leaf.setAttribute("viewBox", `0 0 ${across} ${down}`);
      face.setAttribute("transform", `translate(${shift.join(" ")}) rotate(${this.turned})`);
    }
  }

  #at(event) {
    const leaf = event.target.closest?.(".leaf");
    const sheet = this.sheets.find((each) => each.leaf === leaf);
    if (!sheet) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(sheet.face.getScreenCTM().inverse());
    return { sheet, x: point.x / sheet.width, y: point.y / sheet.height };
  }

  #down(event) {
    const at = this.#at(event);
    if (!at || event.button !== 0 || !this.words.has(at.sheet.page)) return;
    event.preventDefault();
    this.drag = { ...at, extends: event.shiftKey };
    this.root.setPointerCapture?.(event.pointerId);
  }

  #move(event) {
    if (!this.drag) return;
    const box = this.#dragged(event);
    if (box) this.#frame(this.drag.sheet, this.#one(this.drag.sheet, "rect", "band"), box);
  }

  /** The box that the pointer has drawn; null for a click. */
  #dragged(event) {
    const { sheet, x, y } = this.drag;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(sheet.face.getScreenCTM().inverse());
    const [a, b] = [point.x / sheet.width, point.y / sheet.height];
    if (Math.abs(a - x) < DRAG && Math.abs(b - y) < DRAG) return null;
    return [Math.min(a, x), Math.min(b, y), Math.max(a, x), Math.max(b, y)];
  }

  #cancel() {
    this.drag?.sheet.face.querySelector(".band")?.remove();
    this.drag = null;
  }

  #up(event) {
    if (!this.drag) return;
    const { sheet, x, y } = this.drag;
    const box = this.#dragged(event);
    const extending = this.drag.extends && this.last?.page === sheet.page;
    const words = this.words.get(sheet.page);
    this.#cancel();
    const picked = box ? inBox(words, box) : this.#clicked(words, x, y);
    if (picked.length === 0) return;
    const all = extending ? spanned(words, [...this.last.words, ...picked]) : picked;
    this.last = { page: sheet.page, words: all };
    this.onPick({ page: sheet.page, ...pick(all, this.kind, this.hints), words: all, band: box });
  }

  /** What a click takes: the whole value that the word is part of, or the word alone. */
  #clicked(words, x, y) {
    const index = wordAt(words, x, y);
    if (index < 0) return [];
    const whole = isTelling(this.kind) && runs(words, this.kind, this.hints).find((run) => run.words.includes(words[index]));
    return whole ? whole.words : [words[index]];
  }

  #wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.zoomBy(event.deltaY < 0 ? 1 : -1, [event.clientX, event.clientY]);
  }
}

/** The words from the first to the last of some, in the order of reading. */
function spanned(words, some) {
  const places = some.map((word) => words.indexOf(word));
  return words.slice(Math.min(...places), Math.max(...places) + 1);
}

/** A piece of a page around a place, as an SVG of its own. */
export function cropOf(leaf, box, width = 480, height = 44) {
  const image = leaf.querySelector("image");
  const [w, h] = [Number(image.getAttribute("width")), Number(image.getAttribute("height"))];
  const [x0, y0, x1, y1] = around([{ box }]);
  const tall = Math.max((y1 - y0) * h * 1.8, ((x1 - x0) * w * 1.1 * height) / width, 0.02 * h);
  const wide = (tall * width) / height;
  const left = Math.min(Math.max(((x0 + x1) / 2) * w - wide / 2, 0), Math.max(w - wide, 0));
  const top = ((y0 + y1) / 2) * h - tall / 2;
  const crop = element("svg", { viewBox: `${left} ${top} ${wide} ${tall}`, class: "crop", "aria-hidden": "true" });
  crop.append(element("image", { href: image.dataset.href ?? image.getAttribute("href"), width: w, height: h, preserveAspectRatio: "none" }));
  return crop;
}
