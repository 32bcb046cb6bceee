// The pages of a file: cut, joined, moved, turned and taken out; every step can be undone until the form is sent.

import { announce } from "../shell/shell.js";

const form = document.querySelector(".cutter");
const list = form.querySelector(".thumbs");
const thumbs = new Map([...list.children].map((thumb) => [Number(thumb.dataset.page), thumb]));
const LETTERS = { 0: "", 90: "r", 180: "d", 270: "l" };

let pages = [...thumbs].map(([page, thumb]) => ({ page, turn: 0, role: thumb.dataset.role }));
const [past, future] = [[], []];
const start = textOf(pages);

/** The pages of each invoice, as the form sends them. */
function textOf(all) {
  const parts = [];
  for (const { page, turn, role } of all) {
    if (role === "none") continue;
    if (role === "begins" || parts.length === 0) parts.push([]);
    parts.at(-1).push(`${page}${LETTERS[turn]}`);
  }
  return parts.map((part) => part.join(" ")).join("|");
}

function change(next) {
  past.push(pages);
  future.length = 0;
  pages = next;
  show();
}

function step(from, to) {
  if (from.length === 0) return;
  to.push(pages);
  pages = from.pop();
  show();
}

let asked = 0;

async function price(text) {
  const place = form.querySelector(".price");
  // An answer still on its way speaks of pages as they were.
  const number = ++asked;
  if (text === start) {
    place.textContent = "Nothing changes.";
    return;
  }
  const answer = await fetch(`${form.dataset.price}?parts=${encodeURIComponent(text)}`);
  if (answer.ok && number === asked) place.textContent = (await answer.json()).message;
}

function show() {
  const focused = document.activeElement;
  let index = 0;
  for (const { page, turn, role } of pages) {
    const thumb = thumbs.get(page);
    if (list.children[index] !== thumb) list.insertBefore(thumb, list.children[index]);
    index += 1;
    thumb.dataset.role = role;
    thumb.dataset.turn = turn;
    const words = { begins: "begins an invoice", continues: "continues the invoice", none: "belongs to no invoice" }[role];
    thumb.querySelector("figure").setAttribute("aria-label", `Page ${page}, ${words}${turn ? `, turned by ${turn} degrees` : ""}`);
    thumb.querySelector(".cut-here").setAttribute("aria-pressed", String(role === "begins"));
  }
  focused?.focus();
  const text = textOf(pages);
  form.parts.value = text;
  form.querySelector("[data-cut=undo]").disabled = past.length === 0;
  form.querySelector("[data-cut=redo]").disabled = future.length === 0;
  clearTimeout(show.timer);
  show.timer = setTimeout(() => price(text), 150);
}

const ACTS = {
  cut: (each) => ({ ...each, role: each.role === "begins" ? "continues" : "begins" }),
  turn: (each) => ({ ...each, turn: (each.turn + 90) % 360 }),
  drop: (each) => ({ ...each, role: each.role === "none" ? "continues" : "none" }),
};

function act(name, page) {
  if (name === "undo") return step(past, future);
  if (name === "redo") return step(future, past);
  const index = pages.findIndex((each) => each.page === page);
  if (index < 0) return undefined;
  const to = { left: index - 1, right: index + 1 }[name];
  if (to !== undefined) return to >= 0 && to < pages.length ? change(pages.toSpliced(index, 1).toSpliced(to, 0, pages[index])) : undefined;
  change(pages.with(index, ACTS[name](pages[index])));
  announce(thumbs.get(page).querySelector("figure").getAttribute("aria-label"));
  return undefined;
}

function keyOf(event) {
  const command = event.ctrlKey || event.metaKey;
  if (command) return { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
  if (event.altKey) return { ArrowLeft: "left", ArrowRight: "right" }[event.key];
  return { " ": "cut", r: "turn", Delete: "drop" }[event.key];
}

list.addEventListener("keydown", (event) => {
  const thumb = event.target.closest(".thumb");
  const isFigure = event.target.matches("figure");
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (isFigure && by && !event.altKey) {
    event.preventDefault();
    (by > 0 ? thumb.nextElementSibling : thumb.previousElementSibling)?.querySelector("figure").focus();
  } else if (isFigure && keyOf(event) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    act(keyOf(event), Number(thumb.dataset.page));
  }
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || !keyOf(event)) return;
  event.preventDefault();
  act(keyOf(event));
});

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-cut]");
  if (button) act(button.dataset.cut, Number(button.closest(".thumb")?.dataset.page));
});

let dragged = null;
for (const thumb of thumbs.values()) thumb.querySelector("figure").draggable = true;
list.addEventListener("dragstart", (event) => (dragged = Number(event.target.closest(".thumb")?.dataset.page)));
list.addEventListener("dragover", (event) => event.preventDefault());
list.addEventListener("drop", (event) => {
  event.preventDefault();
  const to = Number(event.target.closest(".thumb")?.dataset.page);
  const moved = pages.find((each) => each.page === dragged);
  if (!moved || !to || to === dragged) return;
  const rest = pages.filter((each) => each !== moved);
  change(rest.toSpliced(rest.findIndex((each) => each.page === to), 0, moved));
});

form.scripted.value = "1";
for (const live of form.querySelectorAll("[data-live]")) live.hidden = false;
show();
