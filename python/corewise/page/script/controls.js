// Controls of several pictures: a choice of a value, a tooltip, and buttons below a picture.

import { make } from "./data.js";
import { button } from "./download.js";

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

/** Zoom buttons. @param {string} name @param {{zoom: (factor: number) => void, fit: () => void}} view */
export function pictureBar(name, view) {
  return make(
    "p",
    { class: "picture-bar" },
    button("+", `+ Zoom in: ${name}`, () => view.zoom(1.8)),
    button("\u2212", `\u2212 Zoom out: ${name}`, () => view.zoom(1 / 1.8)),
    button("Fit", `Fit: show all of the ${name}`, () => view.fit()),
    make("small", {}, "Click the picture, then wheel, pinch or keys + \u2212 zoom; drag to move."),
  );
}
