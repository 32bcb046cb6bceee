// Shows which sums hold, as one types.

import { checks } from "./sums.js";
import { shown } from "./values.js";

export function showChecks(root, values, rows, rates, locale, currency) {
  const list = root.querySelector(".sums");
  const money = (value) => shown("money", value, locale, currency);
  const found = checks(values, rows, rates);
  const banner = root.querySelector('[data-about="sums_miss"]');
  if (banner) banner.hidden = found.length > 0 && found.every((check) => check.holds);
  list.replaceChildren(
    ...found.map((check) => {
      const item = document.createElement("li");
      item.className = check.holds ? "holds" : "misses";
      const words = check.holds ? "=" : "≠";
      item.textContent = `${check.left} ${money(check.found)} ${words} ${check.right} ${money(check.wanted)}`;
      if (!check.holds) {
        const by = document.createElement("b");
        by.textContent = ` ${check.difference.startsWith("-") ? "" : "+"}${money(check.difference)}`;
        item.append(by);
      }
      return item;
    }),
  );
}
