// The pages in a window of their own, for a second monitor: it follows the fields, and words picked there fill them.

const CHANNEL = "review";

/** Joins a screen to the other window, if there is one. */
export function connect(screen) {
  const channel = new BroadcastChannel(CHANNEL);
  const { id } = screen.data;
  const path = `/app/review/${id}/pages`;
  const show = (entry) =>
    channel.postMessage({ to: "pages", id, path, place: entry.citation, kind: entry.kind, hints: screen.hints });
  channel.onmessage = ({ data }) => {
    if (data.to !== "screen" || data.id !== id) return;
    if (data.picked) screen.picked(data.picked);
    else if (screen.current) show(screen.current);
  };
  screen.onShow = show;
  channel.postMessage({ to: "pages", id, path, place: null, kind: "text", hints: {} });
  return {
    open: () => window.open(path, "review-pages", "popup,width=900,height=1100"),
    close: () => channel.close(),
  };
}
