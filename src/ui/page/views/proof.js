// @ts-check
import { html } from "htm/preact";

export function Proof() {
  return html`
    <section class="empty">
      <h1>Proof</h1>
      <p>Whether it helps, and what it costs.</p>
    </section>
  `;
}
