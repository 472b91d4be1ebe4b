import { limits } from './limits.js';

/** The weight of one atom besides its instruction: classes of Unicode properties hold hundreds of ranges. */
const PROPERTY_CLASS = 60;
const NEGATED_CLASS = 10;
/** The weight of compiling a pattern of any size. */
const OVERHEAD = 30;

/**
 * An upper estimate of a pattern's instructions, and so of the time that compiling it takes: `a{1000}` is 7 characters and a thousand instructions.
 * Reads the text once and compiles nothing. A text that is not a pattern gets an arbitrary number, and a text that is too long is not read.
 */
export function patternWeight(source: string): number {
  if (source.length > limits.patternLength) return Infinity;
  const groups = [0];
  let last = 0;
  for (const { token, inner } of tokens(source)) {
    const repeats = repeatsOf(token);
    const top = groups.length - 1;
    if (repeats !== undefined) {
      groups[top] = (groups[top] ?? 0) + last * (repeats - 1);
      last *= repeats;
    } else if (token === '(') {
      groups.push(2);
      last = 0;
    } else {
      last = token === ')' && top > 0 ? (groups.pop() ?? 0) : 1 + inner;
      groups[groups.length - 1] = (groups.at(-1) ?? 0) + last;
    }
  }
  return OVERHEAD + groups.reduce((sum, size) => sum + size, 0);
}

const TOKEN = /\\[pP](?:\{[^}]*\})?|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/g;

function* tokens(source: string): Iterable<{ readonly token: string; readonly inner: number }> {
  for (const [token] of source.matchAll(TOKEN)) yield { token, inner: innerWeight(token) };
}

function innerWeight(token: string): number {
  if (token.startsWith('[')) {
    const properties = token.match(/\\[pP]/g)?.length ?? 0;
    return token.length / 4 + properties * PROPERTY_CLASS + (token.startsWith('[^') ? NEGATED_CLASS : 0);
  }
  return /^\\[pP]/.test(token) ? PROPERTY_CLASS : 0;
}

/** The number of times a quantifier repeats the part before it, in instructions; `undefined` for other tokens. */
function repeatsOf(token: string): number | undefined {
  if (token === '?' || token === '*' || token === '+') return 2;
  const counts = /^\{(\d+)(?:,(\d*))?\}$/.exec(token);
  if (!counts) return undefined;
  const [, least = '0', most] = counts;
  return most === undefined || most === '' ? Number(least) + 1 : 2 * Number(most);
}
