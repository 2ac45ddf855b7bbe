// @ts-check
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.js";
import { Confirm, Dialog } from "./dialog.js";
import { tell, tellError } from "./toasts.js";

/** @typedef {{ id: string, text: string, digest: string | null }} Opened */

/**
 * Edits a memory in a dialog.
 * @param {{ id: string, title: string, onClose: () => void }} props
 */
export function Edit({ id, title, onClose }) {
  const [memory, setMemory] = useState(/** @type {Opened | undefined} */ (undefined));
  useEffect(() => void call("memory", { id }).then(setMemory, tellError), [id]);
  return html`
    <${Dialog} title=${`Edit “${title}”`} isWide=${true} onClose=${onClose}>
      ${memory && html`<${Editor} memory=${memory} onClose=${onClose} />`}
    </${Dialog}>
  `;
}

/**
 * A memory's file, with the checks of `memo edit`: what they find is said, and the text stays.
 * @param {{ memory: Opened, onClose: () => void, onMoved?: (id: string) => void }} props
 */
export function Editor({ memory, onClose, onMoved }) {
  // What was opened stays what the edit began with, whatever happens to the file meanwhile.
  const [opened] = useState(memory);
  const [text, setText] = useState(memory.text);
  const [secrets, setSecrets] = useState(/** @type {readonly string[]} */ ([]));
  const [isSaving, setSaving] = useState(false);
  const isChanged = text !== opened.text;
  /** @param {boolean} [anyway] */
  const save = async (anyway = false) => {
    if (!isChanged) return onClose();
    setSaving(true);
    try {
      const reply = await call("edit", { id: opened.id, text, digest: opened.digest, anyway });
      if (reply.secrets) return setSecrets(reply.secrets);
      tell(reply);
      if (reply.id !== undefined && reply.id !== opened.id) onMoved?.(reply.id);
      onClose();
    } catch (error) {
      tellError(error);
    } finally {
      setSaving(false);
    }
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save();
    } else if (event.key === "Escape" && !isChanged) {
      event.preventDefault();
      onClose();
    }
  };
  return html`
    <div class="editor">
      <label class="unseen" for="editor">Text and front matter</label>
      <textarea id="editor" spellcheck="false" defaultValue=${opened.text} value=${text} dir="auto"
        ref=${focusOnce} onKeyDown=${press}
        onInput=${(/** @type {{ target: HTMLTextAreaElement }} */ { target }) =>
          setText(target.value)}></textarea>
      <div class="actions">
        <button class="primary" disabled=${!isChanged || isSaving} onClick=${() =>
          void save()}>Save <kbd>Ctrl ⏎</kbd></button>
        <button onClick=${onClose}>${isChanged ? "Discard" : "Close"}</button>
        ${memory.digest !== opened.digest &&
          html`<span class="muted small">The file changed in the meantime; both changes are kept.</span>`}
      </div>
      ${secrets.length > 0 && html`
        <${Confirm} title="This looks like a secret"
          says=${`The text seems to contain a secret (${
            secrets.join(", ")
          }). Memories are plain files, and files get copied.`}
          does="Save anyway" onYes=${() => void save(true)} onClose=${() => setSecrets([])} />
      `}
    </div>
  `;
}

/** @param {HTMLTextAreaElement | null} area */
function focusOnce(area) {
  if (area === null || area.dataset["seen"] === "yes") return;
  area.dataset["seen"] = "yes";
  area.focus();
  area.setSelectionRange(0, 0);
  area.scrollTop = 0;
}
