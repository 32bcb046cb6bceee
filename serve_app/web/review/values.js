// What people type and documents print, as values: "1.190,50 €" is 1190.50, "17. Mai 2026" is 2026-05-17.

const UNIT = "([A-Z]{3}|US\\$|[$€£¥₹]|kr\\.?|zł|Fr\\.?|%)";
const NUMBER = new RegExp(`^${UNIT}?\\s*([-+−(]?)\\s*${UNIT}?\\s*(\\d[\\d.,'’\\s]*)([-−)]?)\\s*${UNIT}?\\s*([-−]?)$`, "u");
const SPACED = /^\d{1,3}(?:['’\s]\d{3})+(?:[.,]\d+)?$/;
const SYMBOLS = { "€": "EUR", $: "USD", "US$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "zł": "PLN" };
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "cs"];
const SCALE = 6;

const plain = (text) => text.normalize("NFKC").replace(/\s+/g, " ").trim();
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** A number as a plain decimal, null if the text is none. One separator before three digits groups thousands in money,
 * and begins the decimals elsewhere. */
export function number(text, isMoney = true) {
  const found = NUMBER.exec(plain(text));
  if (!found) return null;
  const [, first, before, second, body, after, third, end] = found;
  const units = [first, second, third].filter(Boolean);
  if (units.length > 1 || (units.length && !isUnit(units[0], isMoney))) return null;
  let digits = body.trim().replace(/[.,]$/, "");
  if (/['’\s]/.test(digits)) {
    if (!SPACED.test(digits)) return null;
    digits = digits.replace(/['’\s]/g, "");
  }
  const split = splitDecimals(digits, isMoney);
  if (!split) return null;
  const sign = /[-−(]/.test(before + after + end) ? "-" : "";
  const whole = split[0].replace(/^0+(?=\d)/, "");
  return sign + whole + (split[1] ? `.${split[1]}` : "");
}

/** Whether a number of this kind may stand with such a unit. */
function isUnit(unit, isMoney) {
  if (unit === "%") return !isMoney;
  return isMoney && (unit.length !== 3 || unit === "US$" || currency(unit) !== null);
}

function splitDecimals(digits, isMoney) {
  const marks = digits.match(/[.,]/g) ?? [];
  if (marks.length === 0) return [digits, ""];
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const isMixed = new Set(marks).size === 2;
  const isGroup = marks.length === 1 ? isMoney && /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) : !isMixed;
  const [whole, decimals] = isGroup ? [digits, ""] : [digits.slice(0, last), digits.slice(last + 1)];
  if (!/^\d+(?:[.,]\d{3})*$/.test(whole) || (marks.length > 1 && !/^\d{1,3}[.,]/.test(whole))) return null;
  if (isMixed && new Set(whole.match(/[.,]/g)).size !== 1) return null;
  return [whole.replace(/[.,]/g, ""), decimals];
}

let months = null;

/** The number of a month by its name or the beginning of it, in the languages of Europe; 0 for another word. */
function monthOf(word) {
  months ??= LANGUAGES.flatMap((language) =>
    ["long", "short"].flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { day: "numeric", month, timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, number) => {
        const parts = format.formatToParts(Date.UTC(2026, number, 5));
        return [bare(parts.find((part) => part.type === "month").value).replace(/\.$/, ""), number + 1];
      });
    }),
  );
  const wanted = bare(word).replace(/\.$/, "");
  return (months.find(([name]) => name === wanted) ?? months.find(([name]) => wanted.length > 2 && name.startsWith(wanted)))?.[1] ?? 0;
}

/** A day as 2026-05-17, null if the text is none. `monthFirst` decides 03/04/2026. */
export function day(text, monthFirst = false) {
  const written = plain(text).replace(/,$/, "");
  let found = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$/.exec(written);
  if (found) return checked(found[1], found[2], found[3]);
  found = /^(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})$/.exec(written);
  if (found) {
    const [first, second, year] = [found[1], found[3], found[4]];
    const isMonthFirst = Number(second) > 12 || (Number(first) <= 12 && found[2] !== "." && monthFirst);
    return isMonthFirst ? checked(year, first, second) : checked(year, second, first);
  }
  found = /^(\d{1,2})(?:st|nd|rd|th|er|º)?[.\s-]*(?:de |of |di )?(\p{L}{3,})\.?,?[\s-]*(?:de |of |del )?(\d{4}|\d{2})$/iu.exec(written);
  if (found) return checked(found[3], monthOf(found[2]), found[1]);
  found = /^(\p{L}{3,})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})$/iu.exec(written);
  return found ? checked(found[3], monthOf(found[1]), found[2]) : null;
}

function checked(year, month, dayOfMonth) {
  const full = Number(year) < 100 ? 2000 + Number(year) : Number(year);
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(dayOfMonth)));
  const isReal = Number(month) > 0 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(dayOfMonth);
  return isReal && full > 1900 && full < 2200 ? date.toISOString().slice(0, 10) : null;
}

let currencies = null;

/** A currency's code, null if the text is none. */
export function currency(text) {
  currencies ??= new Set(Intl.supportedValuesOf("currency"));
  const written = plain(text);
  const code = written.toUpperCase();
  return currencies.has(code) ? code : (SYMBOLS[written] ?? null);
}

/** The value in a text by the kind of its field; null if it is none of the kind. */
export function valueOf(kind, text, { monthFirst = false } = {}) {
  switch (kind) {
    case "money": return number(text);
    case "number": return number(text, false);
    case "date": return day(text, monthFirst);
    case "currency": return currency(text);
    case "code": return plain(text).replace(/\s/g, "") || null;
    default: return plain(text) || null;
  }
}

/** Whether a kind can be told by looking at words. */
export const isTelling = (kind) => ["money", "number", "date", "currency"].includes(kind);

/** Whether two values of a kind are the same: 5 is 5.00, "ACME Ltd" is "Acme Ltd". */
export function isSame(kind, left, right) {
  if (left === null || right === null) return left === right;
  if (kind === "money" || kind === "number") return exact(left) === exact(right);
  return bare(String(left)) === bare(String(right));
}

/** A plain decimal as a whole number of millionths, so that sums are exact. */
export function exact(decimal) {
  const [whole, decimals = ""] = String(decimal).replace(/^[+-]/, "").split(".");
  const size = BigInt(whole || "0") * 10n ** BigInt(SCALE) + BigInt(decimals.slice(0, SCALE).padEnd(SCALE, "0"));
  return String(decimal).startsWith("-") ? -size : size;
}

/** The product of two such numbers. */
export const times = (left, right) => (left * right) / 10n ** BigInt(SCALE);

/** Such a number as a plain decimal with at least two decimals. */
export function decimalOf(millionths) {
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(SCALE + 1, "0");
  const decimals = digits.slice(-SCALE).replace(/0{1,4}$/, "");
  return `${millionths < 0n ? "-" : ""}${digits.slice(0, -SCALE)}.${decimals}`;
}

const formats = new Map();

/** Formats are made once: each takes the browser about a millisecond. */
function format(key, make) {
  if (!formats.has(key)) formats.set(key, make());
  return formats.get(key);
}

/** A value as people of the locale write it, to show what was understood. */
export function shown(kind, value, locale, unit = "") {
  if (value === null || value === "") return "";
  if (kind === "date") {
    const long = format(`${locale} date`, () => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }));
    return long.format(new Date(`${value}T00:00:00Z`));
  }
  if (kind !== "money" && kind !== "number") return String(value);
  const decimals = (String(value).split(".")[1] ?? "").length;
  const least = kind === "money" ? Math.max(2, decimals) : decimals;
  const options = { minimumFractionDigits: least, maximumFractionDigits: 20 };
  const text = format(`${locale} ${least}`, () => new Intl.NumberFormat(locale, options)).format(value);
  // A number and its unit stay on one line.
  return kind === "money" && unit ? `${text}\u00a0${unit}` : text;
}
