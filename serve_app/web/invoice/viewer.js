// Shows where a value is printed, and which value is printed at a place.

const ZOOMS = [1, 1.4, 2, 2.8];

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Marks a value and its places; null marks nothing. */
function show(key) {
  for (const element of all(".review [data-key]")) {
    element.classList.toggle("is-shown", key !== null && element.dataset.key === key);
  }
}

/** Scrolls the pages, and nothing else, until the first place of a value is in their middle. */
function reveal(key) {
  const place = document.querySelector(`.sheets .place[data-key="${CSS.escape(key)}"]`);
  const sheets = place?.closest(".sheets");
  if (!sheets) return;
  const [box, view] = [place.getBoundingClientRect(), sheets.getBoundingClientRect()];
  if (box.top >= view.top && box.bottom <= view.bottom && box.left >= view.left && box.right <= view.right) return;
  sheets.scrollBy({
    top: (box.top + box.bottom - view.top - view.bottom) / 2,
    left: (box.left + box.right - view.left - view.right) / 2,
    behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth",
  });
}

/** The key of the smallest place under the pointer; the boxes lie in each other. */
function keyAt(event) {
  const sheet = event.target.closest?.(".sheet");
  if (!sheet) return null;
  const page = sheet.getBoundingClientRect();
  const [x, y] = [(event.clientX - page.left) / page.width, (event.clientY - page.top) / page.height];
  let best = null;
  for (const place of all(".place", sheet)) {
    const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => Number(place.getAttribute(name)));
    if (x < left || y < top || x > left + width || y > top + height) continue;
    if (!best || width * height < best.area) best = { key: place.dataset.key, area: width * height };
  }
  return best?.key ?? null;
}

document.addEventListener("pointerover", (event) => {
  const value = event.target.closest?.(".found .value");
  if (value) show(value.dataset.key);
  else if (!event.target.closest?.(".sheets")) show(null);
});

document.addEventListener("pointermove", (event) => {
  if (event.target.closest?.(".sheets")) show(keyAt(event));
});

document.addEventListener("focusin", (event) => {
  const value = event.target.closest?.(".found .value");
  if (!value) return;
  show(value.dataset.key);
  reveal(value.dataset.key);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-show]");
  if (link) {
    event.preventDefault();
    show(link.dataset.show);
    reveal(link.dataset.show);
    return;
  }
  const key = keyAt(event);
  if (key) {
    const value = document.querySelector(`.found .value[data-key="${CSS.escape(key)}"]`);
    value?.scrollIntoView({ block: "nearest" });
    value?.querySelector(".where")?.focus();
  }
  const zoom = event.target.closest?.("[data-zoom]");
  if (zoom) {
    const sheets = zoom.closest(".sheets");
    const now = ZOOMS.indexOf(Number(sheets.style.getPropertyValue("--zoom") || 1));
    const next = ZOOMS[Math.min(Math.max(now + Number(zoom.dataset.zoom), 0), ZOOMS.length - 1)];
    sheets.style.setProperty("--zoom", next);
  }
});

function enhance() {
  for (const zoom of all(".zoom")) zoom.hidden = false;
}

enhance();
document.addEventListener("htmx:after:swap", enhance);
