// How are elements made? From names, properties and texts; text is only ever set as text.

// Sets what a property names: listeners as functions, data and aria as attributes, style as custom properties.
function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(name, value);
  else if (name === "text") element.textContent = value;
  else if (name === "style") for (const [property, of] of Object.entries(value)) element.style.setProperty(property, of);
  else element.setAttribute(name, value === true ? "" : value);
}

function grow(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(name, properties = {}, ...children) {
  return grow(document.createElement(name), properties, children);
}

export function s(name, properties = {}, ...children) {
  return grow(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);
}

// HTML that the server made of escaped text: coloured code and rendered Markdown, nothing else.
export function made(name, properties, html) {
  const element = h(name, properties);
  element.innerHTML = html;
  return element;
}

// Text in parts, each with whether it matched.
export function parts(list) {
  return list.map(([text, matched]) => (matched ? h("mark", { text }) : text));
}

export const find = (id) => document.getElementById(id);

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

let fading;
// A short word at the edge of the page.
export function toast(text) {
  const element = find("toast");
  element.textContent = text;
  element.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => (element.hidden = true), 2600);
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
  } catch {
    toast(`The browser does not let this page copy. ${what}: ${text}`);
  }
}
