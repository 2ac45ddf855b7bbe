// @ts-check
import { html } from "htm/preact";

export function Review() {
  return html`
    <section class="empty">
      <h1>Review</h1>
      <p>What waits for your word.</p>
    </section>
  `;
}
