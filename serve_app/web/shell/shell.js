document.documentElement.classList.add("scripted");

// What every page can do beyond HTML: copy, show times in the reader's zone, open the palette.

/** Runs `enhance` for the parts of the page, now and whenever htmx puts new ones in. */
export function onContent(enhance) {
  enhance(document);
  document.addEventListener("htmx:after:swap", () => enhance(document));
}

/** Tells people who use a screen reader. */
export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const zonedSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function showLocalTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime()) || !time.dateTime.includes("T")) continue;
    time.title = time.textContent;
    time.textContent = ("seconds" in time.dataset ? zonedSeconds : zoned).format(moment);
    time.dataset.local = "";
  }
}

function showCopyButtons(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const label = button.querySelector("span");
  const before = label.textContent;
  label.textContent = "Copied";
  announce("Copied");
  setTimeout(() => (label.textContent = before), 1500);
});

/** Whether somebody works in a part: the keyboard is in it, something is selected, or a menu is open. */
function isInUse(part) {
  return part.matches(":focus-within") || part.querySelector("input:checked, details[open]") !== null;
}

// What changes by itself is asked for every two seconds, while somebody looks.
setInterval(() => {
  if (document.hidden) return;
  for (const part of document.querySelectorAll("[data-poll]")) {
    if ("pollIdle" in part.dataset && isInUse(part)) continue;
    htmx.ajax("GET", part.dataset.poll, { target: part, swap: "outerHTML" });
  }
}, 2000);

onContent(showLocalTimes);
onContent(showCopyButtons);
