// Rows of a table, without the page: merged, split, taken from a spreadsheet or from a column of the document.

import { decimalOf, exact, valueOf } from "./values.js";
import { runs } from "./words.js";

const AMOUNTS = ["quantity", "total", "base", "amount"];

/** Two rows as one: texts follow each other, of numbers the one that is there, or their sum. */
export function merged(first, second) {
  const cell = (name) => {
    if (name === "description") return [first[name], second[name]].filter(Boolean).join(" ") || null;
    const adds = AMOUNTS.includes(name) && first[name] && second[name];
    return adds ? decimalOf(exact(first[name]) + exact(second[name])) : (first[name] ?? second[name]);
  };
  return Object.fromEntries(Object.keys(first).map((name) => [name, cell(name)]));
}

/** A row as two: the text from `at` on goes to the second, which has no numbers yet. */
export function split(row, at) {
  const blank = Object.fromEntries(Object.keys(row).map((name) => [name, null]));
  if (!("description" in row)) return [row, blank];
  const text = row.description ?? "";
  const place = at > 0 && at < text.length ? at : text.length;
  const [left, right] = [text.slice(0, place).trim(), text.slice(place).trim()];
  return [{ ...row, description: left || null }, { ...blank, description: right || null }];
}

/** The cells of a text as spreadsheets copy it. */
export function rowsOf(text) {
  const lines = text.replace(/\r/g, "").replace(/\n$/, "").split("\n");
  return lines.map((line) => line.split("\t").map((cell) => cell.trim()));
}

/** What stands below each other in words of a column: one text a line. */
export function columnOf(words, kind, hints) {
  const lines = [];
  for (const word of [...words].sort((a, b) => a.box[1] - b.box[1])) {
    const middle = (word.box[1] + word.box[3]) / 2;
    const line = lines.at(-1);
    if (line && middle < line.bottom) line.words.push(word);
    else lines.push({ words: [word], bottom: word.box[3] });
  }
  const texts = lines.map((line) => {
    const across = line.words.sort((a, b) => a.box[0] - b.box[0]);
    return runs(across, kind, hints)[0] && kind !== "text" ? runs(across, kind, hints)[0].text : across.map((each) => each.text).join(" ");
  });
  return kind === "text" ? texts : texts.filter((text) => valueOf(kind, text, hints) !== null);
}
