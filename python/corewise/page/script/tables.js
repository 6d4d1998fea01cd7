// Tables: those of the page's data can be sorted and filtered, and all can be saved.

/** @typedef {import("./types").PageData} PageData */
/** @typedef {import("./types").Table} Table */
import { make } from "./data.js";
import { tableButtons } from "./download.js";
import { counted, countText, valueText } from "./format.js";

const SHOWN_ROWS = 100; // at first, and with each press of "more"
const NUMBERS = new Set(["rank", "partner", "count", "bytes", "seconds", "share"]);
const byNumber = new Intl.Collator("en", { numeric: true });

/** Appends a table. @param {HTMLElement} host @param {Table} table
 * @param {PageData} data @param {import("./linked.js").Linked} linked */
export function showTable(host, table, data, linked) {
  const nRows = table.columns[0]?.values.length ?? 0;
  /** @type {string[]} The text of each row; filled at the first search. */
  let texts = [];
  const order = Array.from({ length: nRows }, (_, row) => row);
  let sortedBy = -1;
  let isAscending = true;
  let most = SHOWN_ROWS;

  const field = make("input", { type: "search", "aria-label": `Filter: ${table.title}`, placeholder: example(table, data) });
  const count = make("output", { "aria-live": "polite" });
  const more = make("button", { type: "button" }, "Show more rows");
  const body = make("tbody");
  const heads = table.columns.map((column, i) => {
    const head = make("th", { scope: "col", ...(NUMBERS.has(column.kind) ? { class: "number" } : {}) });
    const button = make("button", { type: "button" }, column.name);
    button.addEventListener("click", () => {
      isAscending = sortedBy === i ? !isAscending : !["bytes", "count", "seconds", "share"].includes(column.kind);
      sortedBy = i;
      const sign = isAscending ? 1 : -1;
      order.sort((a, b) => sign * compared(column.values[a], column.values[b]) || a - b);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
      fill();
    });
    head.append(button);
    return head;
  });

  const found = () => {
    const wanted = words(field.value);
    if (wanted === "") return order;
    if (/^[\d ]+$/.test(wanted)) {
      const ranks = new Set(wanted.split(" ").map(Number));
      return order.filter((row) => table.columns.some(({ kind, values }) => (kind === "rank" || kind === "partner") && ranks.has(Number(values[row]))));
    }
    if (texts.length === 0) texts = Array.from({ length: nRows }, (_, row) => rowText(table, row));
    return order.filter((row) => ` ${texts[row]} `.includes(` ${wanted} `));
  };
  const fill = () => {
    const rows = found();
    count.textContent = rows.length === nRows ? counted(nRows, "row") : `${countText(rows.length)} of ${counted(nRows, "row")}`;
    body.replaceChildren(...rows.slice(0, most).map((row) => tableRow(table, row, linked)));
    more.hidden = rows.length <= most;
    mark();
  };
  const mark = () => {
    for (const row of body.rows) {
      const ranks = (row.dataset.ranks ?? "").split(" ");
      const lit = linked.lit >= 0 && ranks.includes(String(linked.lit));
      row.classList.toggle("lit", lit);
    }
  };
  field.addEventListener("input", () => {
    most = SHOWN_ROWS;
    fill();
  });
  more.addEventListener("click", () => {
    most += SHOWN_ROWS * 5;
    fill();
  });
  linked.listen((state, before) => {
    mark();
    if (state.rank !== before.rank && state.rank >= 0) {
      const row = [...body.rows].find((one) => one.dataset.ranks?.split(" ")[0] === String(state.rank));
      const box = row?.closest(".scroll");
      if (row && box) box.scrollTop = row.offsetTop - box.clientHeight / 2;
    }
  });

  const read = () => ({
    heads: table.columns.map((column) => (column.kind === "seconds" ? `${column.name} (s)` : column.name)),
    rows: found().map((row) => table.columns.map((column) => column.values[row] ?? "")),
  });
  const element = make("table", { class: "sortable" }, make("caption", {}, table.title), make("thead", {}, make("tr", {}, ...heads)), body);
  const bar = make("p", { class: "search" }, field, " ", count, " ", tableButtons(table.name, read));
  const scroll = make("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": table.title }, element);
  host.append(make("div", { class: `table-${table.name}` }, bar, scroll, more));
  fill();
}

/** @param {Table} table @param {number} row @param {import("./linked.js").Linked} linked */
function tableRow(table, row, linked) {
  const ranks = table.columns.filter(({ kind }) => kind === "rank" || kind === "partner").map(({ values }) => values[row]);
  const made = make("tr", { "data-ranks": ranks.join(" ") });
  for (const { kind, values } of table.columns) {
    const value = values[row] ?? "";
    const cell = make("td", NUMBERS.has(kind) ? { class: "number" } : {});
    if (kind === "rank" || kind === "partner") {
      const button = make("button", { type: "button", title: `Select rank ${value}` }, String(value));
      button.addEventListener("click", () => linked.set({ rank: linked.state.rank === value ? -1 : Number(value) }));
      cell.append(button);
    } else {
      cell.append(valueText(kind, value));
    }
    made.append(cell);
  }
  made.addEventListener("pointerenter", () => linked.set({ pointed: Number(ranks[0] ?? -1) }));
  made.addEventListener("pointerleave", () => linked.set({ pointed: -1 }));
  return made;
}

/** @param {Table} table @param {number} row */
function rowText(table, row) {
  return words(table.columns.map(({ kind, values }) => valueText(kind, values[row] ?? "")).join(" "));
}

/** @param {string} text */
function words(text) {
  return text.toLowerCase().replace(/[,\s]+/g, " ").trim();
}

/** @param {string | number | undefined} a @param {string | number | undefined} b */
function compared(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : byNumber.compare(String(a), String(b));
}

/** @param {Table} table @param {PageData} data */
function example(table, data) {
  const hasPlaces = table.columns.some(({ kind }) => kind === "place");
  if (!hasPlaces) return "Filter, for example 17";
  return `Filter, for example 17, or ${data.machine.shape_of_node.length > 1 ? "node 3" : "core 3"}`;
}

/** Buttons that save each table that is only text in the page. @param {ParentNode} root */
export function addTableButtons(root) {
  for (const element of root.querySelectorAll("table:not(.sortable)")) {
    const table = /** @type {HTMLTableElement} */ (element);
    const name = table.closest("section")?.id ?? "table";
    const read = () => {
      const rows = [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim()));
      return table.tHead ? { heads: rows[0] ?? [], rows: rows.slice(1) } : { heads: ["what", "value"], rows };
    };
    const box = table.closest(".scroll") ?? table;
    box.after(make("p", { class: "downloads" }, tableButtons(name, read)));
  }
}
