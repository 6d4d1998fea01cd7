// Downloads: tables as CSV and JSON, pictures as SVG and PNG.

import { make } from "./data.js";
import { drawnOnCanvas, svgText } from "./painter.js";

const PAPER_PIXELS = 4; // per CSS pixel: 300 dots per inch at the width of a column

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

/** Buttons that save a picture. @param {import("./types").Picture} picture */
export function pictureButtons(picture) {
  const png = () => {
    drawnOnCanvas(picture, PAPER_PIXELS).toBlob((blob) => blob && save(`${picture.name}.png`, blob, "image/png"));
  };
  return make(
    "span",
    { class: "downloads" },
    button("SVG", `Save the picture ${picture.name} as SVG`, () => save(`${picture.name}.svg`, svgText(picture), "image/svg+xml")),
    button("PNG", `Save the picture ${picture.name} as PNG`, png),
  );
}

/** Buttons below each picture that is an SVG in the page. @param {ParentNode} root */
export function addSvgButtons(root) {
  for (const svg of root.querySelectorAll("figure > svg.figure")) {
    const name = svg.closest("section")?.id || "picture";
    const png = () => {
      const size = svg.getBoundingClientRect();
      const image = new Image();
      image.addEventListener("load", () => {
        const canvas = make("canvas", { width: String(size.width * PAPER_PIXELS), height: String(size.height * PAPER_PIXELS) });
        canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => blob && save(`${name}.png`, blob, "image/png"));
      });
      image.src = `data:image/svg+xml,${encodeURIComponent(alone(svg))}`;
    };
    svg.after(
      make(
        "p",
        { class: "downloads" },
        button("SVG", `Save the picture ${name} as SVG`, () => save(`${name}.svg`, alone(svg), "image/svg+xml")),
        button("PNG", `Save the picture ${name} as PNG`, png),
      ),
    );
  }
}

const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "opacity", "color", "font-size", "font-weight", "text-anchor"];

/** The SVG with the page's style as attributes. @param {Element} svg */
function alone(svg) {
  const copy = /** @type {Element} */ (svg.cloneNode(true));
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(/** @type {Element} */ (originals[i]));
    for (const look of LOOKS) element.setAttribute(look, style.getPropertyValue(look));
  });
  const { width, height } = svg.getBoundingClientRect();
  for (const [name, value] of Object.entries({ width, height })) copy.setAttribute(name, String(value));
  copy.setAttribute("font-family", 'system-ui, "Liberation Sans", sans-serif');
  return new XMLSerializer().serializeToString(copy);
}
