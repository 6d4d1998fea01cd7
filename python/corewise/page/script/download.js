// Downloads: tables as CSV and JSON, and files.

import { make } from "./data.js";

/** @param {string} name @param {BlobPart} content @param {string} type */
export function save(name, content, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} text @param {string} label @param {() => void} action */
export function button(text, label, action) {
  const made = make("button", { type: "button", "aria-label": label, title: label }, text);
  made.addEventListener("click", action);
  return made;
}

/** Buttons that save a table. @param {string} name @param {() => {heads: string[], rows: (string | number)[][]}} read */
export function tableButtons(name, read) {
  const csv = () => {
    const { heads, rows } = read();
    const lines = [heads, ...rows].map((row) => row.map(csvCell).join(","));
    save(`${name}.csv`, `${lines.join("\r\n")}\r\n`, "text/csv");
  };
  const json = () => {
    const { heads, rows } = read();
    const objects = rows.map((row) => Object.fromEntries(heads.map((head, i) => [head, row[i] ?? null])));
    save(`${name}.json`, `${JSON.stringify(objects)}\n`, "application/json");
  };
  return make(
    "span",
    { class: "downloads" },
    button("CSV", `Save the table ${name} as CSV`, csv),
    button("JSON", `Save the table ${name} as JSON`, json),
  );
}

/** @param {string | number} value */
function csvCell(value) {
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
