import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
/** @type {typeof import('sucrase/dist/types/parser/index.js')} */
const { parse } = load('sucrase/dist/parser/index.js');
/** @type {typeof import('sucrase/dist/types/parser/tokenizer/types.js')} */
const { TokenType } = load('sucrase/dist/parser/tokenizer/types.js');

/**
 * Keeps the lines of JSX texts, which JSX would join: each line end in such a text becomes an expression. Other lines of the program are not changed.
 * @param {string} source
 * @returns {string}
 */
export function keepingLines(source) {
  if (!source.includes('<')) return source;
  let kept = '';
  let at = 0;
  for (const { type, start, end } of parse(source, true, true, false).tokens) {
    if (type !== TokenType.jsxText && type !== TokenType.jsxEmptyText) continue;
    kept += source.slice(at, start) + source.slice(start, end).replaceAll('\n', '{"\\n"}\n');
    at = end;
  }
  return kept + source.slice(at);
}
