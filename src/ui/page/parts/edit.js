// @ts-check
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { Dialog } from "./dialog.js";
import { Message } from "./text.js";
import { tell } from "./toasts.js";

/**
 * Edits a memory's file in a dialog, with the checks of `memo edit`: what they find is said, and the text stays.
 * @param {{ id: string, title: string, onClose: () => void }} props
 */
export function Edit({ id, title, onClose }) {
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [memory, setMemory] = useState(
    /** @type {{ text: string, digest: string } | undefined} */ (undefined),
  );
  const [problem, setProblem] = useState("");
  const [isSaving, saving] = useState(false);
  const [isAnyway, anyway] = useState(false);
  useEffect(() => {
    call("memory", { id }).then(setMemory, (error) => setProblem(error.message));
  }, [id]);
  useEffect(() => area.current?.focus(), [memory]);
  const save = async () => {
    if (memory === undefined || isSaving) return;
    saving(true);
    try {
      const text = area.current?.value;
      const reply = await call("edit", { id, text, digest: memory.digest, anyway: isAnyway });
      if (reply.secrets === undefined) {
        tell(reply);
        return onClose();
      }
      setProblem(`This looks like a secret: ${reply.secrets.join(", ")}`);
      anyway(true);
      saving(false);
    } catch (error) {
      const { message, hint } = /** @type {import("../api.js").CallError} */ (error);
      setProblem(hint === undefined ? message : `${message}. ${hint}`);
      saving(false);
    }
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save();
  };
  return html`
    <${Dialog} title=${`Edit “${title}”`} isWide=${true} onClose=${onClose}>
      <textarea ref=${area} rows="18" aria-label="Text of the memory" spellcheck="true"
        disabled=${memory === undefined} onKeyDown=${pressed} defaultValue=${memory
          ?.text}></textarea>
      <p class="problem" role="alert">
        <${Message}>${problem}</${Message}></p>
      <div class="actions">
        <button class="primary" disabled=${memory === undefined ||
          isSaving}
          onClick=${save}>${isAnyway ? "Save anyway" : "Save"} <kbd>Ctrl ↵</kbd></button>
        <button onClick=${onClose}>Cancel</button>
      </div>
      </${Dialog}>
  `;
}
