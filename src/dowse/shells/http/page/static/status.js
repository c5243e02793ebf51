// Is the workspace fresh and well? What it holds, its projects, its index, its vectors, and what is being done right now.
import { ask } from "./asking.js";
import { fill, find, h } from "./dom.js";
import { kindIcon } from "./icons.js";
import { jobs } from "./live.js";
import { state } from "./state.js";
import { ago, kindColour, kindNames, many, number, size } from "./words.js";

export async function showStatus() {
  const place = find("welcome");
  place.hidden = false;
  const health = h(
    "div",
    { class: "card", id: "health" },
    h("h3", { text: "Index health" }),
    h("p", { class: "quiet", text: "Looking…" }),
  );
  try {
    const told = await ask("/page/status");
    if (!state.status) return;
    fill(
      place,
      h("h2", { text: "Status" }),
      h("div", { class: "cards" }, index(told), vectors(told), projects(told), health, holds(told), work()),
    );
    fill(health, h("h3", { text: "Index health" }), checks(await ask("/page/health")));
  } catch (error) {
    fill(place, h("h2", { text: "Status" }), h("p", { class: "wrong", text: error.message }));
  }
}

// The word beside the dot at the top.
export async function showPulse() {
  const pulse = find("pulse");
  try {
    const [state, label, said] = condition(await ask("/page/status"));
    pulse.dataset.state = state;
    pulse.querySelector(".label").textContent = label;
    pulse.setAttribute("aria-label", `Status: ${said}`);
  } catch {
    pulse.dataset.state = "unknown";
  }
}

function condition(told) {
  const stale = told.projects.reduce((sum, project) => sum + (project.changed ?? 0) + (project.missing ? 1 : 0), 0);
  const waiting = told.status.embedding.waiting;
  if (stale) return ["stale", many(stale, "change"), `${many(stale, "file")} changed since the last index`];
  if (waiting) return ["busy", `${number(waiting)} waiting`, `${many(waiting, "passage")} without vectors yet`];
  return ["fresh", "Fresh", "everything is up to date"];
}

const card = (title, ...children) => h("div", { class: "card" }, h("h3", { text: title }), children);
const facts = (pairs) =>
  h(
    "dl",
    { class: "facts" },
    pairs.filter(([, value]) => value !== "").flatMap(([name, value]) => [h("dt", { text: name }), h("dd", { text: value })]),
  );

function index({ status, version }) {
  const records = Object.values(status.records).reduce((sum, value) => sum + value, 0);
  const edges = Object.values(status.edges).reduce((sum, value) => sum + value, 0);
  return card(
    "Index",
    h("p", { class: "big" }, h("b", { text: number(records) }), h("span", { text: "records" })),
    facts([
      ["generation", number(status.generation)],
      ["changed", ago(status.updated)],
      ["links", number(edges)],
      ["words", number(status.words)],
      ["size", size(status.bytes)],
      ["deleted", status.deleted ? number(status.deleted) : ""],
      ["dowse", version],
    ]),
  );
}

function vectors({ status: { embedding } }) {
  const whole = embedding.done + embedding.waiting;
  return card(
    "Vectors",
    h("p", { class: "big" }, h("b", { text: number(embedding.done) }), h("span", { text: `of ${many(whole, "passage")}` })),
    h(
      "div",
      { class: "track", role: "img", "aria-label": `${number(embedding.waiting)} wait` },
      h("i", { class: "list-text", style: { width: `${whole ? (embedding.done / whole) * 100 : 0}%` } }),
    ),
    facts([
      ["model", embedding.model],
      ["dimension", embedding.dimension ? number(embedding.dimension) : ""],
      ["waiting", number(embedding.waiting)],
      ["failure", embedding.failure],
    ]),
  );
}

function projects(told) {
  const rows = told.projects.map((project) => {
    const state = project.missing ? "bad" : project.changed ? "warn" : "good";
    const said = project.missing
      ? "the folder is not there"
      : project.changed === null
        ? "too many files to look at each"
        : project.changed
          ? `${many(project.changed, "file")} changed since`
          : "up to date";
    return h(
      "li",
      {},
      h("span", { class: `dot ${state}`, "aria-hidden": "true" }),
      h("span", { class: "name", text: project.space }),
      h("span", { class: "aside", text: said }),
      h("span", { class: "path", text: `${project.root} · indexed ${ago(project.indexed)}` }),
    );
  });
  return card(
    "Projects",
    rows.length
      ? h("ul", { class: "rows" }, rows)
      : h("p", { class: "quiet", text: "No folder is indexed; everything here was put in or imported." }),
  );
}

function checks(findings) {
  return h(
    "ul",
    { class: "rows" },
    findings.map((finding) =>
      h(
        "li",
        {},
        h("span", { class: `dot ${finding.ok ? "good" : "bad"}`, "aria-hidden": "true" }),
        h("span", { class: "name", text: finding.name }),
        h("span", { class: "aside", text: finding.detail }),
        !finding.ok &&
          h("span", { class: "path wrong", text: finding.repair ? `not well; repair it with ${finding.repair}` : "not well" }),
      ),
    ),
  );
}

function holds({ status }) {
  const most = Math.max(1, ...Object.values(status.records));
  const rows = Object.entries(status.records)
    .filter(([, count]) => count)
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
  return card(
    "Records",
    h(
      "ul",
      { class: "kinds" },
      rows.map(([kind, count]) =>
        h(
          "li",
          { style: { "--kind": kindColour(kind) } },
          kindIcon({ kind }),
          h("span", { class: "name", text: kindNames(kind) }),
          h("span", { class: "track", "aria-hidden": "true" }, h("i", { style: { width: `${(count / most) * 100}%` } })),
          h("span", { class: "count", text: number(count) }),
        ),
      ),
    ),
  );
}

function work() {
  const body = h("div", { id: "jobs" });
  fill(body, jobList());
  return card("Right now", body);
}

export function showJobs() {
  const body = find("jobs");
  if (body) fill(body, jobList());
}

function jobList() {
  if (!jobs.size) return h("p", { class: "quiet", text: "Nothing is being indexed. Changes show here as they happen." });
  return h(
    "ul",
    { class: "rows" },
    [...jobs.values()].map((job) =>
      h(
        "li",
        {},
        h("span", { class: `dot ${job.state}`, "aria-hidden": "true" }),
        h("span", { class: "name", text: job.name }),
        h("span", { class: "aside", text: job.said }),
        job.share !== null &&
          h("span", { class: "track" }, h("i", { class: "list-text", style: { width: `${job.share * 100}%` } })),
      ),
    ),
  );
}
