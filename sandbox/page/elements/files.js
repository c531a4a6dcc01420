/** Files of the reader's, chosen for an option or a form, as the socket takes them. */

import { el } from "./dom.js";

/** @param {File} file @returns {Promise<{filename: string, base64: string}>} */
export function encoded(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () =>
      resolve({ filename: file.name, base64: reader.result.slice(reader.result.indexOf(",") + 1) }),
    );
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

/** Let the reader choose a file; nothing follows if they choose none. @param {function(File): void} chosen */
export function choose(chosen) {
  const field = el("input", { type: "file" });
  field.addEventListener("change", () => field.files[0] && chosen(field.files[0]));
  field.click();
}
