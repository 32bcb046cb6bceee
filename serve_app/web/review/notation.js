// Numbers and dates as the person types them, read as `web/notation.py` does, which has the last word: what is saved is
// the text, and the service reads it. `notation` is its `Notation.data`.

import { currency } from "./values.js";

const MAX_LENGTH = 60;
const UNIT = "([A-Z]{3}|US\\$|[$€£¥₹]|kr\\.?|zł|Fr\\.?|%)";
const NUMBER = new RegExp(`^${UNIT}?\\s*([-+−(]?)\\s*${UNIT}?\\s*([0-9][0-9.,'’\\s]*)([-−)]?)\\s*${UNIT}?\\s*([-−]?)$`, "u");
const SPACED = /^[0-9]{1,3}(?:['’\s][0-9]{3})+(?:[.,][0-9]+)?$/;
const GROUPS = /^(?:[1-9][0-9]{0,2}(?:[.,][0-9]{3})+|[1-9][0-9]?(?:[.,][0-9]{2})+[.,][0-9]{3})$/;
const PLAIN_SIGNS = ".,'’ ";

/** The digit that a sign of any script means. Scripts have theirs one after the other. */
function digit(sign) {
  let zero = sign.codePointAt(0);
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((sign.codePointAt(0) - zero) % 10);
}

const cleaned = (text) => text.normalize("NFKC").replace(/\p{Cf}/gu, "").replace(/\p{Nd}/gu, digit).replace(/\s+/g, " ").trim();

/** The words of a text in lower case, without accents of Latin letters. */
const wordsOf = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").match(/[\p{L}\p{M}]+/gu) ?? [];

/** A number as a plain decimal; null for any other text, and for one with two meanings. */
export function readNumber(text, notation) {
  if (text.length > MAX_LENGTH) return null;
  let plain = cleaned(text);
  const { decimal, group } = plainSigns(notation);
  if (!PLAIN_SIGNS.includes(notation.decimal)) plain = plain.replaceAll(notation.decimal, ".");
  if (!PLAIN_SIGNS.includes(notation.group)) plain = plain.replaceAll(notation.group, ",");
  const found = NUMBER.exec(plain);
  if (!found) return null;
  const [, first, before, second, body, after, third, end] = found;
  const digits = plainDigits(body.trim().replace(/[.,]$/, ""), decimal, group);
  if (digits === null || [first, second, third].filter(Boolean).length > 1) return null;
  return (/[-−(]/.test(before + after + end) ? "-" : "") + digits.replace(/^0+(?=\d)/, "");
}

const plainSigns = ({ decimal, group }) => ({
  decimal: PLAIN_SIGNS.includes(decimal) ? decimal : ".",
  group: PLAIN_SIGNS.includes(group) ? group : ",",
});

function plainDigits(digits, decimal, group) {
  if (/['’\s]/.test(digits)) return SPACED.test(digits) ? digits.replace(/['’\s]/g, "").replace(",", ".") : null;
  const marks = digits.match(/[.,]/g) ?? [];
  if (marks.length === 0) return digits;
  const mark = marks.at(-1);
  const place = digits.lastIndexOf(mark);
  const [whole, decimals] = [digits.slice(0, place), digits.slice(place + 1)];
  if (new Set(marks).size === 2) return isGrouped(whole, marks[0]) ? `${ungrouped(whole)}.${decimals}` : null;
  if (!isGrouped(digits, mark)) return marks.length === 1 ? `${whole}.${decimals}` : null;
  if (marks.length > 1 || mark === group) return ungrouped(digits);
  return mark === decimal ? `${whole}.${decimals}` : null;
}

const isGrouped = (digits, mark) => GROUPS.test(digits) && new Set(digits.match(/[.,]/g)).size === 1 && digits.includes(mark);
const ungrouped = (digits) => digits.replace(/[.,]/g, "");

/** A date as 2026-05-17; null for any other text. */
export function readDate(text, notation) {
  if (text.length > MAX_LENGTH) return null;
  const parts = cleaned(text).toLowerCase().split(/([0-9]+)/);
  const gaps = parts.filter((_, index) => index % 2 === 0);
  const numbers = parts.filter((_, index) => index % 2 === 1);
  if (/[^\p{L}\p{M}\p{P}\p{Z}]/u.test(gaps.join(""))) return null;
  const named = gaps.map((gap) => wordsOf(gap).filter((word) => !isFiller(word, notation)).join("")).filter(Boolean);
  if (numbers.length === 2 && named.length === 1) return dateWithName(numbers, monthOf(named[0], notation), notation);
  if (numbers.length !== 3 || named.length || !isUniform(gaps[1], gaps[2])) return null;
  return orders(numbers, notation).map(checked).find(Boolean) ?? null;
}

const isUniform = (left, right) => left.trim() === right.trim() || wordsOf(left + right).length > 0;

function isFiller(word, { months, words }) {
  if (Object.hasOwn(months, word)) return false;
  if (words.includes(word)) return true;
  return words.some((each) => word.startsWith(each) && words.includes(word.slice(each.length)));
}

function monthOf(name, notation) {
  const bare = notation.words.map((each) => (name.startsWith(each) ? name.slice(each.length) : name));
  const cut = notation.words.map((each) => (name.endsWith(each) ? name.slice(0, name.length - each.length) : name));
  for (const each of [name, ...bare, ...cut]) {
    for (const names of [notation.months, notation.other_months]) if (Object.hasOwn(names, each)) return names[each];
  }
  for (const names of [notation.months, notation.other_months]) {
    const found = new Set(Object.keys(names).filter((each) => name.length > 2 && each.startsWith(name)).map((each) => names[each]));
    if (found.size === 1) return [...found][0];
  }
  return 0;
}

function dateWithName([first, second], month, { year_first: isYearFirst }) {
  const startsWithYear = first.length === 4 || (second.length < 3 && isYearFirst);
  return startsWithYear ? checked([first, String(month), second]) : checked([second, String(month), first]);
}

/** What three numbers may be as year, month and day, likeliest first. */
function orders([first, second, third], { month_first: isMonthFirst, year_first: isYearFirst }) {
  if (first.length === 4) return [[first, second, third]];
  const found = [[third, first, second], [third, second, first]];
  if (!isMonthFirst) found.reverse();
  return isYearFirst && third.length < 3 ? [[first, second, third], ...found] : found;
}

function checked([year, month, day]) {
  if (![2, 4].includes(year.length) || month.length > 2 || day.length > 2) return null;
  const full = Number(year) + (year.length === 2 ? 2000 : 0);
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isReal && full > 1900 && full < 2200 ? date.toISOString().slice(0, 10) : null;
}

/** The value of what stands in an input by the kind of its field; null if it is none of the kind. */
export function readEntry(kind, text, notation) {
  const written = text.normalize("NFKC").replace(/\s+/g, " ").trim();
  if (kind === "money" || kind === "number") return readNumber(text, notation);
  if (kind === "date") return readDate(text, notation);
  if (kind === "currency") return currency(text);
  return (kind === "code" ? written.replace(/\s/g, "") : written) || null;
}

/** A value as a text that every language reads as this value, until the service has written it in the person's. */
export function writeEntry(kind, value, notation) {
  if (value === null || value === undefined) return "";
  return kind === "money" || kind === "number" ? String(value).replace(".", plainSigns(notation).decimal) : String(value);
}
