// Counts moments down: <time data-countdown datetime="...">. Without scripts the moment itself is there.

import { onContent } from "./shell.js";

function words(seconds) {
  if (seconds <= 0) return "now";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `in ${seconds} s`;
  if (minutes < 60) return `in ${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `in ${hours} h ${minutes % 60} min`;
  return `in ${Math.floor(hours / 24)} days`;
}

function show() {
  for (const time of document.querySelectorAll("time[data-countdown]")) {
    const left = words(Math.ceil((new Date(time.dateTime) - Date.now()) / 1000));
    if (time.textContent !== left) time.textContent = left;
  }
}

onContent(show);
setInterval(show, 1000);
