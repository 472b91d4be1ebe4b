import { oneLine } from '#lib/kernel';

/** A row of a table in Markdown. Names of states, transitions and variants may have any characters. */
export function markdownRow(cells: readonly (string | number)[]): string {
  const shown = cells.map((cell) => oneLine(String(cell), 140).replaceAll('|', String.raw`\|`));
  return `| ${shown.join(' | ')} |`;
}
