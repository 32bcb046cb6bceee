// The widths of columns that the person has chosen, kept in this browser. Runs before the page is drawn, so that nothing
// moves when the other scripts run.

globalThis.columnWidths = (() => {
  const PREFIX = "column-widths:";
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);

  function read(table) {
    try {
      return JSON.parse(localStorage.getItem(PREFIX + table) ?? "{}");
    } catch {
      return {};
    }
  }

  function rulesOf(table) {
    return Object.entries(read(table)).map(([column, width]) => {
      const cells = `[data-columns="${CSS.escape(table)}"] :is(th, td)[data-column="${CSS.escape(column)}"]`;
      // What has no room is cut off, except numbers: a part of one would be another number.
      return `${cells} { width: ${Number(width)}px; min-width: ${Number(width)}px; overflow: hidden; text-overflow: ellipsis; }
        ${cells}:not(.number, .nowrap) { max-width: ${Number(width)}px; overflow-wrap: anywhere; }`;
    });
  }

  /** Applies the widths of all tables; where lists are cards, there are no columns. */
  function apply() {
    const tables = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const rules = tables.flatMap((key) => rulesOf(key.slice(PREFIX.length)));
    sheet.replaceSync(`@media (min-width: 44.01rem) { ${rules.join("\n")} }`);
  }

  /** Sets the width of a column in pixels; null lets the browser decide. */
  function set(table, column, width) {
    const { [column]: _, ...others } = read(table);
    const widths = width === null ? others : { ...others, [column]: Math.round(width) };
    if (Object.keys(widths).length) localStorage.setItem(PREFIX + table, JSON.stringify(widths));
    else localStorage.removeItem(PREFIX + table);
    apply();
  }

  apply();
  return { set };
})();
