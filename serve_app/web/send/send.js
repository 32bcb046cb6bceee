// Sends files one by one as soon as they are dropped on any page, or pasted or chosen where documents are sent. What was
// accepted is in the list of the service: leaving the page loses nothing but what is still on its way there.
import { announce } from "../shell/shell.js";
import { droppedFiles } from "./dropped.js";

const TOGETHER = 3;
const waiting = [];
let running = 0;

/** On pages without a place to drop, what is on its way is shown at the lower edge. */
const listOfUploads = () => document.querySelector(".drop .uploads") ?? document.querySelector(".uploads");

function entryFor(file) {
  const entry = document.createElement("li");
  const name = document.createElement("span");
  name.textContent = file.name;
  const size = document.createElement("small");
  size.className = "soft";
  size.textContent = `${Math.max(1, Math.round(file.size / 1000))} kB`;
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", `Upload of ${file.name}`);
  entry.append(name, size, bar);
  const list = listOfUploads();
  list.hidden = false;
  list.append(entry);
  return entry;
}

function note(entry, message) {
  const why = document.createElement("p");
  why.className = "wrong";
  why.textContent = message;
  entry.append(why);
}

function closing(entry) {
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => {
    entry.remove();
    next();
  });
  return close;
}

/** What was sent from a page that does not list it, with a link; and what in the file could not be taken. */
function succeed(entry, file, answer) {
  announce(`${file.name} was sent`);
  const isListed = document.querySelector("[data-drop]") !== null;
  if (isListed && answer.problems.length === 0) {
    entry.remove();
  } else {
    const link = document.createElement("a");
    link.href = answer.ids.length > 1 ? "/app/send" : answer.path;
    link.textContent = file.name;
    entry.querySelector("span").replaceChildren(link, answer.ids.length > 1 ? `: ${answer.ids.length} documents sent` : " was sent");
    entry.querySelector("progress").remove();
    entry.querySelector("small").replaceWith(closing(entry));
    for (const problem of answer.problems) note(entry, problem);
  }
  refresh();
}

function fail(entry, file, message) {
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = "Send again";
  again.addEventListener("click", () => {
    entry.remove();
    take([file]);
  });
  entry.querySelector("progress").remove();
  entry.querySelector("small").replaceWith(again);
  note(entry, message);
  announce(`${file.name}: ${message}`);
}

function messageOf(request) {
  if (request.status === 401 || request.responseURL.includes("/sign-in")) return "You are signed out. Sign in again, then send the document again.";
  try {
    return JSON.parse(request.responseText).message;
  } catch {
    return "The service did not accept the document. Send it again in a minute.";
  }
}

function upload({ file, entry }) {
  const request = new XMLHttpRequest();
  const body = new FormData();
  body.append("file", file, file.name || "pasted.png");
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) entry.querySelector("progress").value = event.loaded / event.total;
  });
  request.addEventListener("load", () => {
    if (request.status === 202) {
      succeed(entry, file, JSON.parse(request.responseText));
    } else {
      fail(entry, file, messageOf(request));
    }
  });
  request.addEventListener("error", () => fail(entry, file, "The connection was lost. Send the document again."));
  request.addEventListener("loadend", () => {
    running -= 1;
    next();
  });
  request.open("POST", "/app/send");
  request.setRequestHeader("Accept", "application/json");
  running += 1;
  request.send(body);
}

function next() {
  while (running < TOGETHER && waiting.length > 0) upload(waiting.shift());
  const list = listOfUploads();
  list.hidden = list.children.length === 0;
}

function take(files) {
  for (const file of files) waiting.push({ file, entry: entryFor(file) });
  next();
}

function refresh() {
  const recent = document.getElementById("recent");
  if (recent) htmx.ajax("GET", "/app/send/recent", { target: recent, swap: "outerHTML" });
}

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

document.addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  document.body.classList.add("is-dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("is-dropping");
});
document.addEventListener("drop", async (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  document.body.classList.remove("is-dropping");
  const { files, areMore } = await droppedFiles(event.dataTransfer);
  take(files);
  if (areMore) announce(`Only the first ${files.length} files are sent. Add the others afterwards.`);
});
document.addEventListener("paste", (event) => {
  if (document.querySelector("[data-drop]") && event.clipboardData?.files.length) take(event.clipboardData.files);
});
document.addEventListener("change", (event) => {
  if (!event.target.matches('[data-drop] input[type="file"]')) return;
  take([...event.target.files]);
  event.target.value = "";
});
addEventListener("beforeunload", (event) => {
  if (running > 0) event.preventDefault();
});
