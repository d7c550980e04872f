// All that is shown follows from the address: #q=…&show=…&level=…&profile=…&column=COLUMN&cell=COLUMN.NAME
"use strict";

const map = document.querySelector("table.map");
const form = document.querySelector("form");
const told = document.querySelector(".told");
const headings = [...map.tHead.rows[0].cells].slice(1);
const lines = [...map.querySelectorAll("tr[data-id]")];
const dialog = document.createElement("dialog");
let unpacked;
const RED = ["failed", "error", "expected-failure", "flaky"];

const address = () => new URLSearchParams(location.hash.slice(1));
const fields = () => [...form.elements].filter((field) => field.name);
const cellsOf = (line) => [...line.cells].slice(1);
const has = (cell, verdicts) => verdicts.some((verdict) => cell.classList.contains(verdict));

function go(changes, isNew = false) {
  const wanted = address();
  for (const [name, value] of Object.entries(changes)) value ? wanted.set(name, value) : wanted.delete(name);
  const hash = `#${wanted}`;
  if (isNew) location.hash = hash;
  else {
    history.replaceState(null, "", hash);
    follow();
  }
}

function follow() {
  const wanted = address();
  for (const field of fields()) field.value = wanted.get(field.name) ?? "";
  filter();
  open(wanted.get("cell"));
}

// ---- filters

function filter() {
  const { q, show, level, profile, column } = Object.fromEntries(fields().map((field) => [field.name, field.value]));
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const finds = (text) => words.every((word) => text.toLowerCase().includes(word));
  headings.forEach((heading) => (heading.hidden = Boolean(column) && column !== heading.dataset.key));
  for (const line of lines) {
    cellsOf(line).forEach((cell, index) => (cell.hidden = headings[index].hidden));
    const seen = cellsOf(line).filter((cell) => !cell.hidden);
    const about = line.cells[0];
    line.hidden =
      !finds(`${about.textContent} ${about.title}`) ||
      (Boolean(level) && !line.classList.contains(level)) ||
      (Boolean(profile) && line.parentElement.dataset.profile !== profile) ||
      !shows(show, seen);
  }
  for (const body of map.tBodies) body.hidden = ![...body.rows].some((line) => line.dataset.id && !line.hidden);
  for (const section of document.querySelectorAll("section[data-column]")) {
    section.hidden = Boolean(column) && section.dataset.column !== column;
    for (const defect of section.querySelectorAll(".defects > li")) defect.hidden = !finds(defect.textContent);
  }
  const left = lines.filter((line) => !line.hidden).length;
  form.querySelector("output").textContent = `${left} of ${lines.length} requirements`;
  const all = cells().flat();
  if (!all.some((cell) => cell.tabIndex === 0) && all.length) {
    for (const cell of lines.flatMap(cellsOf)) cell.tabIndex = -1;
    all[0].tabIndex = 0;
  }
}

function shows(show, seen) {
  if (show === "failed") return seen.some((cell) => has(cell, RED));
  if (show === "unsupported") return seen.some((cell) => has(cell, ["unsupported", "untestable"]));
  if (show === "differs") return new Set(seen.map((cell) => cell.textContent)).size > 1;
  return true;
}

form.addEventListener("input", () => go(Object.fromEntries(fields().map((field) => [field.name, field.value]))));
form.addEventListener("reset", (event) => {
  event.preventDefault();
  go(Object.fromEntries(fields().map((field) => [field.name, ""])));
});
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;

// ---- the heat map by keyboard and mouse

const cells = () =>
  lines.filter((line) => !line.hidden).map((line) => cellsOf(line).filter((cell) => !cell.hidden));

for (const cell of lines.flatMap(cellsOf)) cell.tabIndex = -1;

// One cell can be reached by Tab: that which had the focus last.
map.addEventListener("focusin", ({ target }) => {
  if (target.tagName !== "TD") return;
  for (const other of map.querySelectorAll("td[tabindex='0']")) other.tabIndex = -1;
  target.tabIndex = 0;
});

map.addEventListener("keydown", (event) => {
  const cell = event.target.closest("td");
  if (!cell) return;
  const grid = cells();
  const row = grid.findIndex((line) => line.includes(cell));
  const column = grid[row].indexOf(cell);
  const [bottom, right] = [grid.length - 1, grid[row].length - 1];
  const places = {
    ArrowUp: [Math.max(row - 1, 0), column],
    ArrowDown: [Math.min(row + 1, bottom), column],
    ArrowLeft: [row, Math.max(column - 1, 0)],
    ArrowRight: [row, Math.min(column + 1, right)],
    Home: [event.ctrlKey ? 0 : row, 0],
    End: [event.ctrlKey ? bottom : row, right],
  };
  if (event.key === "Enter" || event.key === " ") go({ cell: nameOf(cell) }, true);
  else if (places[event.key]) grid[places[event.key][0]][places[event.key][1]].focus();
  else return;
  event.preventDefault();
});

const nameOf = (cell) => `${headings[cell.cellIndex - 1].dataset.key}.${cell.parentElement.dataset.id}`;

map.addEventListener("click", (event) => {
  const cell = event.target.closest("td");
  if (cell) go({ cell: nameOf(cell) }, true);
});

function tell(event) {
  const cell = event.target.closest("td, tr[data-id] > th");
  const line = cell?.parentElement;
  for (const lit of map.querySelectorAll(".lit")) lit.classList.remove("lit");
  told.hidden = !line;
  if (!line) return;
  const heading = cell.cellIndex ? headings[cell.cellIndex - 1] : null;
  heading?.classList.add("lit");
  const whose = heading ? `${heading.dataset.name}: ${cell.getAttribute("aria-label")}` : line.className;
  const title = line.querySelector("small").textContent;
  told.replaceChildren(strong(`${line.dataset.id}${title} · ${whose}`), ` ${line.cells[0].title}`);
}

function strong(text) {
  const element = document.createElement("strong");
  element.textContent = text;
  return element;
}

for (const kind of ["mouseover", "focusin"]) map.addEventListener(kind, tell);
for (const kind of ["mouseleave", "focusout"]) map.addEventListener(kind, () => (told.hidden = true));
told.hidden = true;

// ---- what a cell opens

async function articles() {
  const bytes = Uint8Array.from(atob(document.getElementById("packed").textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const [index, lines] = (await new Response(stream).text()).split("\f").map((part) => part.split("\n"));
  const article = (distances) => {
    let number = 0;
    return distances.split(",").map((distance) => lines[(number += Number(distance))]);
  };
  return new Map(index.filter(Boolean).map((line) => line.split(" ")).map(([name, of]) => [name, () => article(of)]));
}

// The names that begin as one types them: #cell=dspy.SAN-007 is that of dspy.ReAct, if there is but one.
function namesLike(name, known) {
  const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const at = name.lastIndexOf(".");
  const topic = name.slice(at + 1).toUpperCase();
  const all = headings.map((heading) => heading.dataset.key);
  const alike = all.filter((key) => plain(key).includes(plain(name.slice(0, Math.max(at, 0)))));
  const named = (keys) => keys.map((key) => `${key}.${topic}`).filter((each) => known.has(each));
  return [named(alike), named(all)].find((names) => names.length) ?? [];
}

function linkTo(name) {
  const link = document.createElement("a");
  link.textContent = link.href = `#cell=${name}`;
  return link;
}

async function open(name) {
  if (name) unpacked ??= articles();
  const known = await unpacked;
  if (name !== address().get("cell")) return; // somebody was faster
  if (!name) return dialog.close();
  const alike = known.has(name) ? [] : namesLike(name, known);
  if (alike.length === 1) return go({ cell: alike[0] });
  const close = document.createElement("button");
  close.textContent = "close";
  close.addEventListener("click", () => dialog.close());
  const template = document.createElement("template");
  const none = `<h2></h2><p>${alike.length ? "There are:" : "Its end is the id of a requirement, such as LOOP-001."}</p>`;
  template.innerHTML = known.has(name) ? known.get(name)().join("\n") : none;
  dialog.replaceChildren(close, template.content);
  if (!known.has(name)) {
    dialog.querySelector("h2").textContent = `Nothing is called ${name}`;
    for (const each of alike) dialog.append(linkTo(each), document.createElement("br"));
  }
  dialog.setAttribute("aria-label", dialog.querySelector("h2").textContent);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

// The browser gives the focus back to where it was.
dialog.addEventListener("close", () => {
  if (address().has("cell")) go({ cell: "" });
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
document.body.append(dialog);

// A link to a cell keeps the filters.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link) return;
  const cell = new URLSearchParams(link.hash.slice(1)).get("cell");
  event.preventDefault();
  if (cell) go({ cell }, true);
  else document.getElementById(link.hash.slice(1))?.scrollIntoView();
});

addEventListener("hashchange", follow);
follow();
