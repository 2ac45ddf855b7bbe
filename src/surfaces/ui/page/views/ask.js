// @ts-check
// What is asked before a change of memories: tags and type, a place, a prompt.

import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.js";
import { counted, visible } from "../parts/text.js";

/** @typedef {{ value: string, label?: string, count: number }} Facet */

/** What the changes are about, in words. @param {{ count: number, name?: string }} of */
export function whatOf({ count, name }) {
  return count === 1 && name !== undefined
    ? `“${visible(name)}”`
    : counted(count, "memory", "memories");
}

/** @param {string} text */
function words(text) {
  return text.split(",").map((each) => each.trim()).filter((each) => each !== "");
}

/** @param {SubmitEvent} event */
function fieldsOf(event) {
  event.preventDefault();
  const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
  return (/** @type {string} */ name) => String(data.get(name) ?? "").trim();
}

/**
 * A dialog with fields, and what is done with them.
 * @param {{ title: string, does: string, isReady?: boolean, onClose: () => void, children?: any,
 *   onFields: (field: (name: string) => string) => void }} props
 */
function Form({ title, does, isReady = true, onClose, children, onFields }) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    onFields(fieldsOf(event));
    onClose();
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form class="form" onSubmit=${submit}>${children}
        <div class="actions"><button class="primary" disabled=${!isReady}>${does}</button>
          <button type="button" onClick=${onClose}>Cancel</button></div>
      </form>
      </${Dialog}>
  `;
}

/** @param {{ id: string, of: readonly Facet[] }} props */
const List = ({ id, of }) =>
  html`<datalist id=${id}>${
    of.map(({ value }) => html`<option key=${value} value=${value} />`)
  }</datalist>`;

/**
 * @param {{ what: string, types: readonly Facet[], tags: readonly Facet[], onClose: () => void,
 *   onDo: (params: { add: string[], remove: string[], type?: string }) => void }} props
 */
export function AskTags({ what, types, tags, onClose, onDo }) {
  const send = (/** @type {(name: string) => string} */ field) =>
    onDo({
      add: words(field("add")),
      remove: words(field("remove")),
      ...field("type") === "" ? {} : { type: field("type") },
    });
  return html`
    <${Form} title=${`Tags and type of ${what}`} does="Change" onClose=${onClose} onFields=${send}>
      <label>Add tags<input name="add" type="text" autofocus autocomplete="off" placeholder="api, ci" list="known-tags" /></label>
      <label>Remove tags<input name="remove" type="text" autocomplete="off" list="known-tags" /></label>
      <label>Type<input name="type" type="text" autocomplete="off" placeholder="as it is" list="known-types" /></label>
      <${List} id="known-tags" of=${tags} />
      <${List} id="known-types" of=${types} />
      </${Form}>
  `;
}

/**
 * @param {{ what: string, projects: readonly { key: string, name: string }[], onClose: () => void,
 *   onDo: (params: { to: string }) => void }} props
 */
export function AskPlace({ what, projects, onClose, onDo }) {
  return html`
    <${Form} title=${`Move ${what}`} does="Move" onClose=${onClose}
      onFields=${(/** @type {(name: string) => string} */ field) => onDo({ to: field("to") })}>
      <label>Where it applies<select name="to" autofocus>
        <option value="">Everywhere</option>
        ${projects.map(({ key, name }) =>
          html`<option key=${key} value=${key}>${visible(name)}</option>`
        )}
      </select></label>
      <p
        class="muted small">Only you have it there. <kbd>s</kbd> shares it with the repository instead.</p>
      </${Form}>
  `;
}

/** @param {{ what: string, onClose: () => void, onDo: (params: { prompt: string }) => void }} props */
export function AskPrompt({ what, onClose, onDo }) {
  const [prompt, setPrompt] = useState("");
  return html`
    <${Form} title=${`Never for such prompts: ${what}`} does="Keep it away" onClose=${onClose}
      isReady=${prompt.trim() !== ""} onFields=${() => onDo({ prompt })}>
      <label>A prompt that it should not come with
        <textarea name="prompt" rows="3" autofocus dir="auto" value=${prompt}
          onInput=${(/** @type {{ target: HTMLTextAreaElement }} */ { target }) =>
            setPrompt(target.value)}></textarea></label>
      <p
        class="muted small">It then stays away from prompts that are more like this one than like the memory itself.</p>
      </${Form}>
  `;
}
