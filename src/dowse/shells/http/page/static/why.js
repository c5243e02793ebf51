// Why does it stand where it stands? What each list said of it, what moved it after that, and why another one is absent.
import { ask } from "./asking.js";
import { fill, h } from "./dom.js";
import { found } from "./searching.js";
import { state } from "./state.js";
import { LISTS, SIGNALS, capital, many, number, score } from "./words.js";

export async function showWhy(panel, record, signal) {
  if (!state.query.trim())
    return panel.append(h("p", { class: "quiet", text: "Search for something first; then this tells why the record was found." }));
  await found.ready;
  if (signal.aborted) return;
  const hit = found.hits.find((one) => one.key === record.key);
  if (hit) panel.append(...explained(hit));
  else panel.append(told(await ask("/page/why", [["key", record.key], ["q", state.query], ...state.filters], signal)));
  panel.append(whyNot());
}

function explained(hit) {
  const { lists, signals } = hit.explain;
  const rows = [
    ...lists.map((list) => ({
      name: LISTS[list.name]?.[0] ?? list.name,
      about: LISTS[list.name]?.[1] ?? "",
      list: list.name,
      value: list.share,
      aside: `place ${number(list.rank)} · ${list.raw.toFixed(2)}`,
    })),
    ...signals
      .filter((signal) => Math.abs(signal.added) > 0.004)
      .map((signal) => ({ name: signal.name, about: SIGNALS[signal.name] ?? "", list: "other", value: signal.added })),
  ];
  const most = Math.max(...rows.map((row) => Math.abs(row.value)), 0.01);
  const factors = signals.filter((signal) => signal.factor !== 1);
  return [
    h(
      "p",
      { class: "verdict" },
      h("b", { text: `Hit ${number(hit.rank)} of ${number(found.answer.total)}` }),
      h("span", { text: `score ${hit.score.toFixed(2)}` }),
      h("span", { class: "query", text: state.query }),
    ),
    h(
      "div",
      { class: "stack", "aria-hidden": "true" },
      rows.map((row) => h("i", { class: `list-${row.list}`, style: { flex: String(Math.max(0, row.value)) } })),
    ),
    h(
      "ul",
      { class: "bars" },
      rows.map((row) => bar(row, most)),
    ),
    factors.length > 0 &&
      h(
        "ul",
        { class: "factors" },
        factors.map((signal) =>
          h(
            "li",
            {},
            h("b", { text: `× ${score(signal.factor)}` }),
            h("span", { text: signal.name }),
            h("span", { class: "quiet", text: SIGNALS[signal.name] ?? "" }),
          ),
        ),
      ),
    hit.copies > 0 && h("p", { class: "quiet", text: `${many(hit.copies, "record")} that say the same are not shown.` }),
  ].filter(Boolean);
}

function bar(row, most) {
  return h(
    "li",
    { class: "bar-row" },
    h("span", { class: "name" }, h("i", { class: `swatch list-${row.list}`, "aria-hidden": "true" }), capital(row.name)),
    h(
      "span",
      { class: "track", "aria-hidden": "true" },
      h("i", { class: `list-${row.list}`, style: { width: `${Math.max(1, (Math.abs(row.value) / most) * 100)}%` } }),
    ),
    h("span", { class: "value", text: `${row.value < 0 ? "−" : "+"} ${score(Math.abs(row.value))}` }),
    h("span", { class: "about" }, row.about, row.aside && h("span", { class: "aside", text: row.aside })),
  );
}

// What the server says of a record that is not among the hits on the page.
function told(explanation) {
  return h(
    "div",
    { class: explanation.found ? "told" : "told absent", role: "status" },
    h("p", {}, h("b", { text: explanation.found ? "In the answer. " : "Not in the answer. " }), explanation.reason),
    explanation.lists.length > 0 &&
      h("p", {
        class: "quiet",
        text: explanation.lists
          .map((list) => `${(LISTS[list.name]?.[0] ?? list.name).toLowerCase()}: place ${number(list.rank)}`)
          .join(" · "),
      }),
  );
}

function whyNot() {
  const field = h("input", {
    type: "text",
    id: "why-key",
    placeholder: "id of a record",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });
  const answer = h("div", { class: "answer" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      fill(answer, told(await ask("/page/why", [["key", field.value.trim()], ["q", state.query], ...state.filters])));
    } catch (error) {
      fill(answer, h("p", { class: "wrong", text: error.message }));
    }
  };
  return h(
    "form",
    { class: "why-not", submit },
    h("label", { for: "why-key", text: "Why is another record not here?" }),
    h("span", { class: "row" }, field, h("button", { class: "main", text: "Tell me" })),
    answer,
  );
}
