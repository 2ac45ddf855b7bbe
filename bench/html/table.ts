import { html, type Markup } from "./markup.ts";

/** A table whose first column names its rows; the others are figures. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): Markup {
  return html`
    <div class="scroll">
      <table>
        <caption>${caption}</caption>
        <thead>
          <tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr>
        </thead>
        <tbody>${rows.map(([name = "", ...cells]) =>
          html`
            <tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
          `
        )}
        </tbody>
      </table>
    </div>
  `;
}
