// The words of pages: which one lies under the pointer, which of them make a value, and where a value is printed.
// Boxes are x0, y0, x1, y1 in fractions of the page.

import { isSame, isTelling, valueOf } from "./values.js";

const LONGEST = 5;
const NEAR = 0.006;
// Words of one value are at most this many line heights apart.
const GAP = 2.5;

/** The index of the word at a point, or of the nearest one close to it; -1 if there is none. */
export function wordAt(words, x, y) {
  let best = -1;
  let distance = NEAR;
  words.forEach(({ box: [x0, y0, x1, y1] }, index) => {
    const away = Math.max(x0 - x, x - x1, y0 - y, y - y1, 0);
    if (away < distance) [best, distance] = [index, away];
  });
  return best;
}

/** The box around words. */
export function around(words) {
  return words.reduce(
    ([a, b, c, d], { box: [x0, y0, x1, y1] }) => [Math.min(a, x0), Math.min(b, y0), Math.max(c, x1), Math.max(d, y1)],
    [1, 1, 0, 0],
  );
}

/** The words whose middle lies in a box. */
export function inBox(words, [x0, y0, x1, y1]) {
  const isIn = ({ box: [a, b, c, d] }) => a + c > 2 * x0 && a + c < 2 * x1 && b + d > 2 * y0 && b + d < 2 * y1;
  return words.filter(isIn);
}

const textOf = (words) => words.map((word) => word.text).join(" ");

/** Words as the value of a field: value, text and box. The value is null if they make none. */
export function pick(words, kind, hints) {
  return { value: valueOf(kind, textOf(words), hints), text: textOf(words), box: around(words) };
}

function isNext(left, right) {
  const [[, y0, x1, y1], [a, b, , d]] = [left.box, right.box];
  const height = Math.max(y1 - y0, d - b);
  return Math.min(y1, d) - Math.max(y0, b) > height / 2 && a - x1 < GAP * height && a > x1 - height;
}

/** All runs of neighbouring words that make a value of the kind, the longest one at each place. */
export function runs(words, kind, hints) {
  if (!isTelling(kind)) return words.map((word) => ({ words: [word], ...pick([word], kind, hints) }));
  const found = [];
  for (let first = 0; first < words.length; first += 1) {
    const run = longest(words, first, kind, hints);
    if (!run) continue;
    found.push(run);
    first += run.words.length - 1;
  }
  return found;
}

function longest(words, first, kind, hints) {
  let best = null;
  for (let last = first; last < words.length && last < first + LONGEST; last += 1) {
    if (last > first && !isNext(words[last - 1], words[last])) break;
    const run = words.slice(first, last + 1);
    const picked = pick(run, kind, hints);
    if (picked.value !== null) best = { words: run, ...picked };
  }
  return best;
}

/** Where a value is printed: at most `limit` places, with their pages. `pages` maps numbers of pages to words. */
export function find(pages, kind, value, hints, limit = 9) {
  const places = [];
  for (const [page, words] of pages) {
    const some = isTelling(kind) ? runs(words, kind, hints) : phrases(words, value, kind, hints);
    for (const run of some) {
      if (!isSame(kind, run.value, value)) continue;
      places.push({ page, box: run.box, text: run.text });
      if (places.length === limit) return places;
    }
  }
  return places;
}

function* phrases(words, value, kind, hints) {
  const length = String(value).trim().split(/\s+/).length;
  for (let first = 0; first < words.length; first += 1) {
    for (const count of new Set([length, 1, Math.min(length + 1, 8)])) {
      const run = words.slice(first, first + count);
      if (run.length === count) yield { words: run, ...pick(run, kind, hints) };
    }
  }
}

/** Whether the document writes the month before the day, by those of its dates that leave no doubt. */
export function writesMonthFirst(pages, usual = false) {
  for (const [, words] of pages) {
    for (const { text } of words) {
      const found = /^(\d{1,2})\/(\d{1,2})\/\d{2,4}$/.exec(text);
      if (found && Number(found[1]) > 12) return false;
      if (found && Number(found[2]) > 12) return true;
    }
  }
  return usual;
}
