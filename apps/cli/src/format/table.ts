interface Column {
  readonly title: string;
  /** Default: left. */
  readonly align?: 'right';
}

/** Rows under titles, each column as wide as its widest cell, indented by two. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => width(row[index] ?? ''))));
  return cells.map((row) => {
    const padded = columns.map(({ align }, index) => pad(row[index] ?? '', widths[index] ?? 0, align));
    return `  ${padded.join('  ').trimEnd()}`;
  });
}

function pad(text: string, to: number, align: Column['align']): string {
  const blanks = ' '.repeat(to - width(text));
  return align === 'right' ? blanks + text : text + blanks;
}

function width(text: string): number {
  return Array.from(text).length;
}
