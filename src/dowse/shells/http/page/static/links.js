// What links to it, what does it link to, and what is like it?
import { ask } from "./asking.js";
import { h } from "./dom.js";
import { brief } from "./welcome.js";

export async function showLinks(panel, record, signal) {
  const told = await ask("/page/links", [["key", record.key]], signal);
  if (signal.aborted) return;
  panel.append(
    ...group("Linked from", told.backlinks, (item) => item.edge, "Nothing points at it."),
    ...group("Links to", told.links, (item) => item.edge, "It points at nothing."),
    ...group("Similar", told.similar, (item) => `${Math.round(item.score * 100)} %`, "Nothing is close to it in meaning."),
    ...told.degraded.map((text) => h("p", { class: "quiet", text })),
  );
}

function group(name, items, aside, none) {
  return [
    h("h3", {}, name, h("span", { class: "count", text: String(items.length) })),
    items.length
      ? h(
          "ul",
          { class: "briefs" },
          items.map((item) => h("li", {}, brief(item, aside(item), "links"))),
        )
      : h("p", { class: "quiet", text: none }),
  ];
}
