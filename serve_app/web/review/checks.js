// Shows which sums hold, as one types.

import { checks } from "./sums.js";
import { shown } from "./values.js";

export function showChecks(root, values, rows, rates, locale, currency) {
  const list = root.querySelector(".sums");
  const money = (value) => shown("money", value, locale, currency);
  list.replaceChildren(
    ...checks(values, rows, rates).map((check) => {
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
