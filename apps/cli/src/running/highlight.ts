import type { Paint, Style } from '../io.js';

const KEYWORDS =
  'async|await|break|case|catch|class|const|continue|default|delete|do|else|finally|for|function|if|in|instanceof|let|new|of|return|switch|throw|try|typeof|while|yield';
const TOKENS = new RegExp(
  [
    '(?<dim>//.*$|/\\*.*?(?:\\*/|$))',
    '(?<green>"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`)',
    `(?<cyan>\\b(?:${KEYWORDS})\\b)`,
    '(?<yellow>\\b(?:\\d[\\w.]*|true|false|null|undefined)\\b)',
  ].join('|'),
  'g',
);

/** The most characters of a line in colours: a quoted text without an end is read again from each quote in it. */
const LONGEST_COLOURED = 1_000;

/**
 * A line of a reply in colours: of TypeScript, or a fence around it. Longer lines have none. Control characters are left out: a terminal
 * would obey them.
 */
export function highlight(line: string, paint: Paint): string {
  const text = line.replaceAll(/[^\P{C}\t]/gu, '');
  if (text.trimStart().startsWith('```')) return paint('dim', text);
  if (text.length > LONGEST_COLOURED) return text;
  return text.replaceAll(TOKENS, (token: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { readonly [style in Style]?: string };
    const style = (Object.keys(groups) as Style[]).find((name) => groups[name] !== undefined);
    return style ? paint(style, token) : token;
  });
}
