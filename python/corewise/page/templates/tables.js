// Tables of class "sortable": a field searches their rows, a click on a heading sorts them. Without it they stay as written.
"use strict";

function wordsOf(text) {
  return text.toLowerCase().replace(/[,\s]+/g, " ").trim();
}

// Numbers alone are looked for in the first column; anything else is a phrase of whole words, such as "node 3".
function isFound(row, wanted) {
  if (/^[\d ]+$/.test(wanted)) return wanted.split(" ").includes(row.cells[0].textContent.trim());
  const words = [...row.cells].map((cell) => wordsOf(cell.textContent)).join(" ");
  return wanted === "" || ` ${words} `.includes(` ${wanted} `);
}

function orderOf(row, column) {
  const cell = row.cells[column];
  return Number(cell.dataset.order ?? cell.textContent);
}

function sortBy(table, column) {
  const headings = [...table.tHead.rows[0].cells];
  const isAscending = headings[column].getAttribute("aria-sort") !== "ascending";
  for (const heading of headings) heading.removeAttribute("aria-sort");
  headings[column].setAttribute("aria-sort", isAscending ? "ascending" : "descending");
  const sign = isAscending ? 1 : -1;
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort((a, b) => sign * (orderOf(a, column) - orderOf(b, column))));
}

function addSearch(table) {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = table.dataset.example;
  field.setAttribute("aria-label", "Search this table");
  const count = document.createElement("output");
  field.addEventListener("input", () => {
    const wanted = wordsOf(field.value);
    const rows = [...table.tBodies[0].rows];
    for (const row of rows) row.hidden = !isFound(row, wanted);
    count.textContent = wanted ? `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows` : "";
  });
  const line = document.createElement("p");
  line.className = "search";
  line.append(field, " ", count);
  table.parentElement.before(line);
}

function addSorting(table) {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sortBy(table, column));
    heading.append(button);
  });
}

for (const table of document.querySelectorAll("table.sortable")) {
  addSearch(table);
  addSorting(table);
}
