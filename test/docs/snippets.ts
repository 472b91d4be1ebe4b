import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A fenced block of a page, and where it says it comes from. */
export interface Snippet {
  readonly from: string | undefined;
  readonly language: string;
  readonly text: string;
}

/** Every fenced block of a Markdown page. A block that comes from code has `<!-- from: file#region -->` before it. */
export function snippetsOf(page: string): readonly Snippet[] {
  const fences = /(?:<!-- from: (\S+) -->\n\n)?```(\w*)\n([\s\S]*?)```/g;
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(fences)].map(
    ([, from, language = '', text = '']) => ({
      from,
      language,
      text,
    }),
  );
}

/** The lines of a file between `#region name` and the next `#endregion`. */
export function regionOf(from: string): string {
  const [file = '', region = ''] = from.split('#');
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.trimEnd().endsWith(`#region ${region}`));
  const length = lines.slice(start + 1).findIndex((line) => line.trimEnd().endsWith('#endregion'));
  if (start < 0 || length < 0) throw new Error(`${file} has no region ${region}.`);
  return `${lines.slice(start + 1, start + 1 + length).join('\n')}\n`;
}
