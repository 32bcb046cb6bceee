// Sends files one by one as soon as they are dropped, pasted or chosen. What was accepted is in the list below, which
// comes from the service: leaving the page loses nothing but what is still on its way there.
import { announce } from "../shell/shell.js";

const TOGETHER = 3;
const waiting = [];
let running = 0;

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
  const list = document.querySelector(".uploads");
  list.hidden = false;
  list.append(entry);
  return entry;
}

function fail(entry, file, message) {
  const why = document.createElement("p");
  why.className = "wrong";
  why.textContent = message;
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = "Send again";
  again.addEventListener("click", () => {
    entry.remove();
    take([file]);
  });
  entry.querySelector("progress").remove();
  entry.querySelector("small").replaceWith(again);
  entry.append(why);
  announce(`${file.name}: ${message}`);
}

function messageOf(request) {
  if (request.status === 401 || request.responseURL.includes("/sign-in")) return "You were signed out. Sign in again, then send it again.";
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
      entry.remove();
      announce(`${file.name} was sent`);
      refresh();
    } else {
      fail(entry, file, messageOf(request));
    }
  });
  request.addEventListener("error", () => fail(entry, file, "The connection was lost. Send it again."));
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
  const list = document.querySelector(".uploads");
  if (list) list.hidden = list.children.length === 0;
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
document.addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  document.body.classList.remove("is-dropping");
  take(event.dataTransfer.files);
});
document.addEventListener("paste", (event) => {
  if (event.clipboardData?.files.length) take(event.clipboardData.files);
});
document.addEventListener("change", (event) => {
  if (!event.target.matches('[data-drop] input[type="file"]')) return;
  take([...event.target.files]);
  event.target.value = "";
});
addEventListener("beforeunload", (event) => {
  if (running > 0) event.preventDefault();
});
