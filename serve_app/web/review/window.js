// The pages of an invoice in a window of their own.

import { Pages } from "./pages.js";
import { ask } from "./saver.js";

const root = document.querySelector(".leaves");
const { id } = root.dataset;
const channel = new BroadcastChannel("review");
const pages = new Pages(root, (picked) => channel.postMessage({ to: "screen", id, picked }));

channel.onmessage = ({ data }) => {
  if (data.to !== "pages") return;
  if (data.id !== id) {
    location.replace(data.path);
    return;
  }
  pages.setKind(data.kind, data.hints);
  pages.show(data.place);
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  ({ "+": () => pages.zoomBy(1), "-": () => pages.zoomBy(-1), 0: () => pages.fitWidth(), f: () => pages.fitPage(), r: () => pages.turn() })[event.key]?.();
});

for (const leaf of root.querySelectorAll(".leaf")) {
  const page = Number(leaf.dataset.page);
  pages.setWords(page, (await ask(`/app/review/${id}/words/${page}`).catch(() => ({ words: [] }))).words);
}
channel.postMessage({ to: "screen", id });
