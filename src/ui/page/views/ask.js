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
 * @param {{ what: string, types: readonly Facet[], tags: readonly Facet[], onClose: () => void,
 *   onDo: (params: { add: string[], remove: string[], type?: string }) => void }} props
 */
export function AskTags({ what, types, tags, onClose, onDo }) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    const field = fieldsOf(event), type = field("type");
    onDo({
      add: words(field("add")),
      remove: words(field("remove")),
      ...type === "" ? {} : { type },
    });
    onClose();
  };
  return html`
    <${Dialog} title=${`Tags and type of ${what}`} onClose=${onClose}>
      <form class="form" onSubmit=${submit}>
        <label>Add tags<input name="add" type="text" autofocus autocomplete="off" placeholder="api, ci" list="known-tags" /></label>
        <label>Remove tags<input name="remove" type="text" autocomplete="off" list="known-tags" /></label>
        <label>Type<input name="type" type="text" autocomplete="off" placeholder="as it is" list="known-types" /></label>
        <datalist id="known-tags">${tags.map(({ value }) =>
          html`<option key=${value} value=${value} />`
        )}</datalist>
        <datalist id="known-types">${types.map(({ value }) =>
          html`<option key=${value} value=${value} />`
        )}</datalist>
        <div class="actions"><button class="primary">Change</button>
          <button type="button" onClick=${onClose}>Cancel</button></div>
      </form>
      </${Dialog}>
  `;
}

/**
 * @param {{ what: string, projects: readonly { key: string, name: string }[], onClose: () => void,
 *   onDo: (params: { to: string }) => void }} props
 */
export function AskPlace({ what, projects, onClose, onDo }) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    onDo({ to: fieldsOf(event)("to") });
    onClose();
  };
  return html`
    <${Dialog} title=${`Move ${what}`} onClose=${onClose}>
      <form class="form" onSubmit=${submit}>
        <label>Where it applies<select name="to" autofocus>
          <option value="">Everywhere</option>
          ${projects.map(({ key, name }) =>
            html`<option key=${key} value=${key}>${visible(name)}</option>`
          )}
        </select></label>
        <p
          class="muted small">Only you have it there. <kbd>s</kbd> shares it with the repository instead.</p>
        <div class="actions"><button class="primary">Move</button>
          <button type="button" onClick=${onClose}>Cancel</button></div>
      </form>
      </${Dialog}>
  `;
}

/** @param {{ what: string, onClose: () => void, onDo: (params: { prompt: string }) => void }} props */
export function AskPrompt({ what, onClose, onDo }) {
  const [prompt, setPrompt] = useState("");
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (prompt.trim() === "") return;
    onDo({ prompt });
    onClose();
  };
  return html`
    <${Dialog} title=${`Never for such prompts: ${what}`} onClose=${onClose}>
      <form class="form" onSubmit=${submit}>
        <label>A prompt that it should not come with
          <textarea name="prompt" rows="3" autofocus dir="auto" value=${prompt}
            onInput=${(/** @type {{ target: HTMLTextAreaElement }} */ { target }) =>
              setPrompt(target.value)}></textarea></label>
        <p
          class="muted small">It then stays away from prompts that are more like this one than like the memory itself.</p>
        <div class="actions"><button class="primary" disabled=${prompt.trim() ===
          ""}>Keep it away</button>
          <button type="button" onClick=${onClose}>Cancel</button></div>
      </form>
      </${Dialog}>
  `;
}
