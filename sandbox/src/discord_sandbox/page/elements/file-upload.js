/** Files that the reader uploads in an option or a form, encoded as the socket expects them. */

import { el } from "./element.js";

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
