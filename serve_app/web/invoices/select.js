// Selecting invoices: whole pages, ranges with Shift, and the sums of what is selected.
import { onContent } from "../shell/shell.js";

let last = null;

/** Sums of amounts such as "12.5" by currency; exact, because they are added as whole numbers. */
export function sumsOf(boxes) {
  const sums = new Map();
  for (const { dataset } of boxes) {
    if (!dataset.amount || !dataset.currency) continue;
    const [whole, part = ""] = dataset.amount.split(".");
    const units = BigInt(whole + part.padEnd(4, "0").slice(0, 4));
    sums.set(dataset.currency, (sums.get(dataset.currency) ?? 0n) + units);
  }
  return sums;
}

function written([currency, units]) {
  const number = new Intl.NumberFormat(document.documentElement.dataset.locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  });
  return `${number.format(Number(units) / 10000)} ${currency}`;
}

/** The first three sums, and how many more there are. */
function summaryOf(sums) {
  const texts = [...sums].map(written);
  const rest = texts.length - 3;
  return texts.slice(0, 3).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function show(form) {
  const boxes = [...form.querySelectorAll('input[name="id"]')];
  const chosen = boxes.filter((box) => box.checked);
  const all = form.querySelector("[data-all]");
  const everything = form.elements.all?.checked;
  form.classList.toggle("has-selected", chosen.length > 0 || everything);
  if (all) {
    all.checked = chosen.length > 0 && chosen.length === boxes.length;
    all.indeterminate = chosen.length > 0 && !all.checked;
  }
  form.querySelector("[data-count]").textContent = everything ? "All that match" : `${chosen.length} selected`;
  form.querySelector("[data-sums]").textContent = everything ? "" : summaryOf(sumsOf(chosen));
}

function enhance(root) {
  const form = root.querySelector("#act");
  if (!form?.querySelector("[data-count]")) return;
  form.querySelector("[data-all]").hidden = false;
  show(form);
}

document.addEventListener("click", (event) => {
  const box = event.target.closest?.('#act input[name="id"]');
  if (!box) return;
  const boxes = [...box.form.querySelectorAll('input[name="id"]')];
  if (event.shiftKey && last?.isConnected) {
    const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
    for (const between of boxes.slice(from, to + 1)) between.checked = box.checked;
  }
  last = box;
  show(box.form);
});

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("#act");
  if (!form) return;
  if (event.target.matches("[data-all]")) {
    for (const box of form.querySelectorAll('input[name="id"]')) box.checked = event.target.checked;
  }
  show(form);
});

onContent(enhance);
