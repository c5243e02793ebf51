// What is here to be found? What the workspace holds, how fresh it is, what changed last, and questions that have an answer.
import { ask } from "./asking.js";
import { fill, find, h } from "./dom.js";
import { kindIcon } from "./icons.js";
import { change, state } from "./state.js";
import { ago, kindColour, kindNames, many, number, sort, where } from "./words.js";

export async function showWelcome() {
  const place = find("welcome");
  place.hidden = false;
  try {
    const told = await ask("/page/overview");
    if (!state.query && !state.status) fill(place, ...welcome(told));
  } catch (error) {
    fill(place, h("p", { class: "wrong", text: error.message }));
  }
}

function welcome(told) {
  const records = Object.values(told.status.records).reduce((sum, value) => sum + value, 0);
  if (!records)
    return [
      h("h2", { text: "Nothing is here yet" }),
      h("p", {}, "Put something in with ", h("code", { text: "dowse index" }), " in the folder of a project, then search."),
    ];
  return [
    h("h2", {}, "Find anything in ", h("b", { text: many(records, "record") })),
    h("p", { class: "quiet", text: freshness(told) }),
    h(
      "div",
      { class: "examples" },
      told.examples.map((text) => h("button", { class: "example", type: "button", text, click: () => change({ query: text }) })),
    ),
    h("div", { class: "holds" }, kinds(told.status.records)),
    h("h3", { text: "Changed last" }),
    h(
      "ul",
      { class: "briefs" },
      told.recent.map((record) => h("li", {}, brief(record, ago(record.updated)))),
    ),
  ];
}

export function freshness(told) {
  const stale = told.projects.filter((project) => project.changed || project.missing);
  const when = `Last change of the index ${ago(told.status.updated)}`;
  if (!told.projects.length) return `${when}.`;
  if (!stale.length) return `${when}; ${many(told.projects.length, "project")} up to date.`;
  const said = ({ space, changed, missing }) =>
    missing ? `${space} is not there` : `${many(changed, "file")} of ${space} changed since`;
  return `${when}; ${stale.map(said).join(", ")}.`;
}

function kinds(records) {
  const most = Math.max(...Object.values(records));
  const sorted = Object.entries(records)
    .filter(([, count]) => count)
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
  return sorted.map(([kind, count]) =>
    h(
      "div",
      { class: "hold", style: { "--kind": kindColour(kind), "--share": String(Math.sqrt(count / most)) } },
      kindIcon({ kind }),
      h("span", { class: "name", text: kindNames(kind) }),
      h("span", { class: "count", text: number(count) }),
    ),
  );
}

// A record in one line that opens it.
export function brief(record, aside = "", view = "text") {
  return h(
    "button",
    { class: "brief", type: "button", "data-key": record.key, click: () => change({ open: record.key, view }) },
    kindIcon(record),
    h("span", { class: record.kind === "symbol" ? "name code-name" : "name", text: record.title }),
    h("span", { class: "place", text: where(record) || sort(record) }),
    record.facets?.role && h("span", { class: "role", "data-role": record.facets.role, text: record.facets.role }),
    aside && h("span", { class: "aside", text: aside }),
  );
}
