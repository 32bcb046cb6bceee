// The reason of a rejection: it has the focus as soon as it is asked for, and no key of the screen acts meanwhile.

const popOf = (root) => root?.querySelector("[data-reject]");

/** Whether the reason is asked for. */
export const isRejecting = (root) => popOf(root)?.open ?? false;

export function closeReject(root) {
  if (isRejecting(root)) popOf(root).open = false;
}

/** `send` rejects the invoice with the reason that stands there. */
export function connectReject(root, send) {
  const pop = popOf(root);
  const button = pop.querySelector("summary");
  const reason = pop.querySelector("#reject-reason");
  // Not when it is shown, which is later: what is typed until then belongs into the reason, too.
  button.addEventListener("click", (event) => {
    event.preventDefault();
    pop.open = !pop.open;
    if (pop.open) reason.focus();
  });
  pop.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pop.open) button.focus();
    if (event.key !== "Enter" || !event.target.matches("input") || event.isComposing) return;
    event.preventDefault();
    if (!event.repeat) send();
  });
  pop.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !pop.contains(event.relatedTarget)) pop.open = false;
  });
  reason.addEventListener("input", () => reason.removeAttribute("aria-invalid"));
}
