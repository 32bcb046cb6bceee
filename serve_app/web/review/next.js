// The next invoice, fetched while one works on this one.

import { ask } from "./saver.js";

export class Ahead {
  /** `path` is the page of the next invoice, empty for none. */
  constructor(path) {
    this.path = path;
    this.found = null;
  }

  /** Fetches the page, its first picture and its words. */
  fetch() {
    if (this.path) this.found ??= this.#fetch().catch(() => null);
    return this.found;
  }

  async #fetch() {
    const answer = await fetch(this.path);
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const root = page.getElementById("review-screen");
    if (!root) return null;
    const data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    const first = data.first_page;
    const words = await ask(`/app/review/${data.id}/words/${first}`).catch(() => null);
    const picture = new Image();
    picture.src = root.querySelector(`.leaf[data-page="${first}"] image`)?.dataset.href ?? "";
    await picture.decode().catch(() => {});
    return { root: document.adoptNode(root), path: this.path, title: page.title, words: new Map(words ? [[first, words]] : []) };
  }

  /** What was fetched; null if there is no next one, or it cannot be had. */
  async take() {
    return this.fetch();
  }
}
