// The keys of the review screen. Keys that are single letters can be switched off, and never act while one types.

const LETTERS_OFF = "review-letters-off";

const isTyping = (event) => event.target.closest?.("input, textarea, select, [contenteditable]") !== null;

export const lettersAreOff = () => localStorage.getItem(LETTERS_OFF) === "1";

export function switchLetters(areOff) {
  if (areOff) localStorage.setItem(LETTERS_OFF, "1");
  else localStorage.removeItem(LETTERS_OFF);
}

/** The name of what a key asks for; "" for nothing. */
export function actOf(event) {
  const command = event.ctrlKey || event.metaKey;
  if (event.isComposing) return "";
  if (command && event.key === "Enter") return event.shiftKey ? "later" : "confirm";
  if (command && !event.altKey && event.key.toLowerCase() === "z") return event.shiftKey ? "redo" : "undo";
  if (command && !event.altKey && event.key.toLowerCase() === "y") return "redo";
  if (event.altKey && !command) return /^Digit[1-4]$/.test(event.code) ? `candidate-${event.code.at(-1)}` : event.key === "Delete" ? "none" : "";
  if (command || event.altKey) return "";
  if (event.key === "Escape") return "back";
  if (event.key === "Enter" && event.target.matches?.(".entry :is(input, select)")) return event.shiftKey ? "previous" : "accept";
  if (event.key === "PageDown" || event.key === "PageUp") return event.key.toLowerCase();
  return isTyping(event) || lettersAreOff() ? "" : (SINGLE[event.key] ?? "");
}

/** What a key that is held down may do again and again; everything else needs a press of its own. */
export const REPEATED = ["larger", "smaller", "pagedown", "pageup", "undo", "redo", "next", "previous"];

const SINGLE = {
  "?": "help",
  "+": "larger",
  "-": "smaller",
  0: "width",
  f: "page",
  r: "turn",
  n: "next",
  p: "previous",
  l: "lines",
  w: "window",
};
