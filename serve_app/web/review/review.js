// The review screen: opens an invoice, hands keys and buttons on, and goes to the next invoice.

import { makeResizable } from "../shell/columns.js";
import { announce, onContent } from "../shell/shell.js";
import { ReviewScreen } from "./screen.js";
import { actOf, lettersAreOff, REPEATED, switchLetters } from "./keys.js";
import { Lease } from "./lease.js";
import { Ahead } from "./next.js";
import { closeReject, connectReject, isRejecting } from "./reject.js";
import { ask } from "./saver.js";
import { connect } from "./second.js";

const TOLD = "review-told";

let screen = null;
let lease = null;
let ahead = null;
let second = null;
// A decision needs a press or a click that began while the invoice could be seen, and while no other one is saved.
let isDrawn = false;
let isDeciding = false;

function open(root, known) {
  const data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  screen = new ReviewScreen(root, data);
  second = connect(screen);
  root.classList.add("is-live");
  for (const live of root.querySelectorAll("[data-live]")) live.hidden = false;
  makeResizable(root);
  connectReject(root, () => decide("reject"));
  isDrawn = false;
  drawn().then(() => {
    isDrawn = screen.root === root;
    root.dataset.drawn = "";
  });
  const words = screen.loadWords(known);
  screen.start();
  ahead = new Ahead(root.dataset.next);
  lease = new Lease(root, data.id, (news) => heard(news, words));
  lease.open();
}

/** After the browser has shown what is there now. */
function drawn() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** What the service says every half minute. */
function heard(news, words) {
  screen.root.querySelector("[data-progress]").textContent = news.progress;
  screen.news(news.revision);
  if (ahead.path !== news.next) ahead = new Ahead(news.next);
  // The words of this invoice first.
  const { root } = screen;
  words.then(() => ahead.fetch()).then(() => (root.dataset.ahead = "ready"));
}

function close() {
  closeReject(screen?.root);
  lease?.close();
  screen?.dispose();
  second?.close();
}

/** Shows the next invoice in place of this one; without one, the queue. */
async function goOn() {
  const next = await ahead.take();
  close();
  if (!next) {
    location.assign(screen.root.dataset.queue);
    return;
  }
  screen.root.replaceWith(next.root);
  history.pushState(null, "", next.path);
  document.title = next.title;
  open(next.root, next.words);
  announce(document.title);
}

/** Says what became of a mail to the sender of the invoice before. */
function tellOf() {
  const message = sessionStorage.getItem(TOLD);
  if (!message) return;
  sessionStorage.removeItem(TOLD);
  screen.root.querySelector(".saving").textContent = message;
  announce(message);
}

/** This one again when the others are done. */
async function later() {
  if (screen.current?.decide) screen.commit(screen.current);
  screen.commitTables();
  const isPutOff = await ask(`/app/review/${screen.data.id}/later`, "POST", {}).catch(() => false);
  if (isPutOff) await goOn();
  else announce("The service does not answer. Try again.");
}

async function conclude(status) {
  const reason = screen.root.querySelector("#reject-reason");
  if (status === "rejected" && !reason.value.trim()) {
    reason.setAttribute("aria-invalid", "true");
    reason.focus();
    announce("Enter the reason for the rejection.");
    return;
  }
  const body = status === "rejected" ? { status, reason: reason.value } : { status };
  if (!(await screen.conclude(body))) return;
  if (status === "rejected" && screen.root.querySelector("#reject-tell")?.checked) {
    const { message } = await ask(`/app/review/${screen.data.id}/tell`, "POST", {});
    sessionStorage.setItem(TOLD, message);
  }
  await goOn();
  tellOf();
}

const DECISIONS = { confirm: () => conclude("confirmed"), reject: () => conclude("rejected"), later: () => later() };

/** Decides on the invoice that can be seen, once. */
async function decide(name) {
  if (!isDrawn || isDeciding) return;
  isDeciding = true;
  try {
    await DECISIONS[name]();
  } finally {
    isDeciding = false;
  }
}

// What one may do with an invoice that somebody else works on.
const HARMLESS = ["help", "larger", "smaller", "width", "page", "turn", "pagedown", "pageup", "later", "window"];

const ACTS = {
  accept: () => screen.current && screen.accept(screen.current),
  next: () => screen.next(screen.current),
  previous: () => screen.next(screen.current, -1),
  confirm: () => decide("confirm"),
  reject: () => decide("reject"),
  later: () => decide("later"),
  undo: () => screen.step("undo"),
  redo: () => screen.step("redo"),
  none: () => screen.current?.decide && screen.none(screen.current),
  back: () => back(),
  help: () => help(),
  larger: () => screen.pages.zoomBy(1),
  smaller: () => screen.pages.zoomBy(-1),
  width: () => screen.pages.fitWidth(),
  page: () => screen.pages.fitPage(),
  turn: () => screen.pages.turn(),
  pagedown: () => screen.pages.root.scrollBy(0, 0.9 * screen.pages.root.clientHeight),
  pageup: () => screen.pages.root.scrollBy(0, -0.9 * screen.pages.root.clientHeight),
  lines: () => screen.tables[0].root.querySelector("td input")?.focus(),
  window: () => second.open(),
};

/** Out of the input, with what is saved in it. */
function back() {
  const input = document.activeElement;
  if (screen.current?.input === input) screen.current.reset?.();
  input?.blur();
}

function help() {
  const sheet = document.getElementById("keys");
  const letters = sheet.querySelector("[data-letters]");
  letters.checked = !lettersAreOff();
  letters.onchange = () => switchLetters(!letters.checked);
  sheet.showModal();
}

/** Whether an input has an edit of its own that Ctrl+Z takes back. */
function hasOwnEdit(name) {
  return (name === "undo" || name === "redo") && screen.current?.isChanged && document.activeElement === screen.current.input;
}

// A button is pressed by Enter as often as a held key repeats; then nobody has seen what it is pressed for.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest?.("#review-screen :is(button, summary)")) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (!screen || document.querySelector("dialog[open]")) return;
  if (isRejecting(screen.root)) {
    if (event.key === "Escape") closeReject(screen.root);
    return;
  }
  const name = actOf(event);
  const candidate = /^candidate-(\d)$/.exec(name);
  if ((!candidate && !ACTS[name]) || hasOwnEdit(name)) return;
  if (!lease.isMine && !HARMLESS.includes(name)) return;
  event.preventDefault();
  if (event.repeat && !REPEATED.includes(name)) return;
  if (candidate) screen.choose(screen.current, Number(candidate[1]));
  else ACTS[name]();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("#review-screen [data-act], #keys [data-act]");
  if (!button || !ACTS[button.dataset.act]) return;
  event.preventDefault();
  // The second click of a double click is not meant for the next invoice.
  if (event.detail > 1 && button.dataset.act in DECISIONS) return;
  ACTS[button.dataset.act]();
});

// Enter in an input must not send the form.
document.addEventListener("submit", (event) => {
  if (screen && event.target.matches("form.fields") && !event.submitter?.hasAttribute("formaction")) event.preventDefault();
});

addEventListener("popstate", () => location.reload());
addEventListener("pagehide", () => lease?.close());
// Out of the browser's memory of pages, as a new visit.
addEventListener("pageshow", (event) => event.persisted && location.reload());

onContent(() => {
  const root = document.getElementById("review-screen");
  if (root && root !== screen?.root) open(root);
});
