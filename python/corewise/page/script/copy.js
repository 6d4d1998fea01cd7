// A button at each command that copies it to the clipboard.

import { button } from "./download.js";

/** @param {ParentNode} root */
export function addCopyButtons(root) {
  for (const code of root.querySelectorAll("pre > code")) {
    const pre = /** @type {HTMLElement} */ (code.parentElement);
    const copy = button("Copy", "Copy this text", () => {
      // In some browsers, a page from disk has no clipboard; a selection can be copied in all.
      getSelection()?.selectAllChildren(code);
      const done = navigator.clipboard?.writeText(code.textContent ?? "") ?? Promise.reject(new Error("no clipboard"));
      done.catch(() => document.execCommand("copy")).then(() => (copy.textContent = "Copied"));
    });
    copy.className = "copy";
    pre.before(copy);
  }
}
