// @ts-check
import { html } from "htm/preact";

export function Memories() {
  return html`
    <section class="empty">
      <h1>Memories</h1>
      <p>Every memory, searched as recall does it.</p>
    </section>
  `;
}
