// Which sums hold, as one types.

import { decimalOf, exact, times } from "./values.js";

// Rounding each line or rate apart moves a sum by less.
const TOLERANCE = exact("0.02");

const sum = (values) => values.reduce((total, each) => total + each, 0n);

/** What a row adds to the invoice: its total, or else its quantity times its price; null if neither is there. */
export function rowTotal({ total, quantity, unit_price: price }) {
  if (total) return exact(total);
  return quantity && price ? times(exact(quantity), exact(price)) : null;
}

/** Sums of an invoice, each as two names and values: `values` are plain decimals by field, `rows` the lines, `rates` the
 * tax of each rate. */
export function checks(values, rows, rates = []) {
  const of = (name) => (values[name] ? exact(values[name]) : null);
  const [amount, tax, subtotal] = [of("amount"), of("tax"), of("subtotal")];
  const net = subtotal ?? (amount !== null && tax !== null ? amount - tax : null);
  const found = [];
  const lines = rows.map(rowTotal);
  if (lines.length && !lines.includes(null)) found.push(nearest(sum(lines), [["net", net], ["amount", amount]]));
  if (subtotal !== null && tax !== null && amount !== null) {
    const [shipping, discount] = [of("shipping") ?? 0n, of("discount") ?? 0n];
    const name = `Net + tax${shipping ? " + shipping" : ""}${discount ? " − discount" : ""}`;
    // Some net sums contain shipping and discount.
    const plain = check("Net + tax", "amount", subtotal + tax, amount);
    found.push(plain.holds ? plain : check(name, "amount", subtotal + tax + shipping - discount, amount));
  }
  const taxes = rates.map((rate) => (rate.amount ? exact(rate.amount) : null));
  if (tax !== null && taxes.length && !taxes.includes(null)) found.push(check("Tax of all rates", "tax", sum(taxes), tax));
  const [due, paid] = [of("amount_due"), of("amount_paid")];
  if (due !== null && paid !== null && amount !== null) found.push(check("Amount − paid", "amount due", amount - paid, due));
  return found.filter((each) => each !== null);
}

/** Lines are net or gross: of the two, the nearer sum is what they should make. */
function nearest(lines, wanted) {
  const known = wanted.filter(([, value]) => value !== null).map(([name, value]) => check("Lines", name, lines, value));
  const size = ({ difference }) => (difference.startsWith("-") ? -exact(difference) : exact(difference));
  return known.sort((a, b) => (size(a) < size(b) ? -1 : 1))[0] ?? null;
}

function check(left, right, found, wanted) {
  const difference = found - wanted;
  const holds = difference <= TOLERANCE && difference >= -TOLERANCE;
  return { left, right, found: decimalOf(found), wanted: decimalOf(wanted), difference: decimalOf(difference), holds };
}
