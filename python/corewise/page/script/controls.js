// Controls of several pictures: a choice of a value, a tooltip, and buttons below a picture.

/** @typedef {import("./types").PicturePane} PicturePane */
import { colour } from "./colours.js";
import { make } from "./data.js";
import { button, pictureButtons } from "./download.js";

// Of a saved picture, CSS pixels: the gap between two panes, and the height of the line of titles.
const GAP = 24;
const TITLE = 24;

let numbered = 0;

/** A choice of one value, at first the first one. @param {string} name @param {string[]} values @param {(value: string) => void} choose
 * @param {(value: string) => Node[]} [shown] The content for a value, by default its text. */
export function choice(name, values, choose, shown = (value) => [document.createTextNode(value)]) {
  numbered += 1;
  const group = make("fieldset", { class: "choice" }, make("legend", {}, name));
  values.forEach((value, i) => {
    const field = make("input", { type: "radio", name: `choice-${numbered}`, value });
    field.checked = i === 0;
    field.addEventListener("change", () => choose(value));
    group.append(make("label", {}, field, make("span", {}, ...shown(value))));
  });
  return group;
}

/** A tooltip next to the pointer, inside the picture's box. */
export function tooltip() {
  const element = make("div", { class: "tip", hidden: "" });
  return {
    element,
    /** @param {number} x @param {number} y @param {string[]} lines */
    show(x, y, lines) {
      element.replaceChildren(...lines.map((line, i) => make(i === 0 ? "strong" : "div", {}, line)));
      element.hidden = false;
      const box = /** @type {HTMLElement} */ (element.parentElement);
      const left = x + 16 + element.offsetWidth > box.clientWidth ? Math.max(0, x - 16 - element.offsetWidth) : x + 16;
      const top = y + 16 + element.offsetHeight > box.clientHeight ? Math.max(0, y - 16 - element.offsetHeight) : y + 16;
      element.style.transform = `translate(${left}px, ${top}px)`;
    },
    hide() {
      element.hidden = true;
    },
  };
}

/** Panes side by side as one picture, with titles if there are several.
 * @param {string} name @param {PicturePane[]} panes @returns {import("./types").Picture} */
function sideBySide(name, panes) {
  const top = () => (panes.length > 1 ? TITLE : 0);
  return {
    name,
    width: () => panes.reduce((sum, { view }) => sum + view.width + GAP, -GAP),
    height: () => top() + Math.max(...panes.map(({ view }) => view.height)),
    draw(painter) {
      let left = 0;
      for (const pane of panes) {
        const { width, height } = pane.view;
        if (panes.length > 1) painter.text(left + 4, TITLE - 8, pane.title, { fill: colour("text"), size: 14, bold: true });
        painter.shift(left, top(), () => painter.clip({ x: 0, y: 0, width, height }, () => pane.draw(painter)));
        left += width + GAP;
      }
    },
  };
}

/** Zoom and save buttons. @param {string} name @param {PicturePane[]} panes The visible panes. */
export function pictureBar(name, panes) {
  const picture = sideBySide(name, panes);
  const view = /** @type {PicturePane} */ (panes[0]).view;
  return make(
    "p",
    { class: "picture-bar" },
    button("+", `+ Zoom in: ${picture.name}`, () => view.zoom(1.8)),
    button("\u2212", `\u2212 Zoom out: ${picture.name}`, () => view.zoom(1 / 1.8)),
    button("Fit", `Fit: show all of the ${picture.name}`, () => view.fit()),
    pictureButtons(picture),
    make("small", {}, "Click the picture, then wheel, pinch or keys + \u2212 zoom; drag to move."),
  );
}
