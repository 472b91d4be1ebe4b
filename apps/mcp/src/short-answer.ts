import { isJsonObject, jsonText } from '#lib/kernel';

/** About 10,000 tokens. */
export const MOST_CHARACTERS = 40_000;

/** Characters that a part keeps at least. */
const LEAST = 80;
/** Characters of a text that is never cut: ids and times stay whole. */
const NOTE = LEAST / 2;
/** The level below which a value is cut as text: each level writes its values once more. */
const DEEPEST = 10;

/** The same answer if its text is short enough; otherwise its long parts are cut and marked, and small parts stay whole. */
export function shortened(answer: unknown, budget = MOST_CHARACTERS): unknown {
  const short = cut(answer, budget, 0);
  return jsonText(short).length <= budget ? short : cutText(jsonText(answer), budget);
}

function cut(value: unknown, budget: number, depth: number): unknown {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
  const text = jsonText(value);
  if (text.length <= budget) return value;
  if (typeof value === 'string') return value.length <= NOTE ? value : cutText(value, budget);
  if (depth === DEEPEST) return cutText(text, budget);
  return isJsonObject(value)
    ? cutMembers(value, budget, depth)
    : cutItems(Object.values(value), budget, depth);
}

function cutMembers(value: object, budget: number, depth: number): unknown {
  const members = Object.entries(value);
  if (members.length * LEAST > budget) return cutText(jsonText(value), budget);
  const names = jsonText(Object.keys(value)).length + members.length;
  const sizes = members.map(([, member]) => jsonText(member).length);
  const shares = sharesOf(sizes, budget - names);
  return Object.fromEntries(
    members.map(([name, member], at) => [name, cut(member, shares[at] ?? 0, depth + 1)]),
  );
}

function cutItems(items: readonly unknown[], budget: number, depth: number): readonly unknown[] {
  const kept = items.slice(0, Math.max(1, Math.floor(budget / LEAST) - 1));
  const left = items.length - kept.length;
  const note = left === 0 ? [] : [`… ${left} more items`];
  const sizes = kept.map((item) => jsonText(item).length + 1);
  const shares = sharesOf(sizes, budget - jsonText(note).length);
  return [...kept.map((item, at) => cut(item, (shares[at] ?? 0) - 1, depth + 1)), ...note];
}

/** A character takes up to six in JSON; half a surrogate pair is not kept. */
function cutText(text: string, budget: number): string {
  const most = Math.max(0, budget - NOTE);
  let kept = text.slice(0, most);
  while (kept !== '' && jsonText(kept).length > most + 2)
    kept = kept.slice(0, Math.floor((kept.length * most) / jsonText(kept).length));
  kept = kept.replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… ${text.length - kept.length} more characters`;
}

/** The share of each part: its size, or an equal share of the rest that the smaller ones leave. */
function sharesOf(sizes: readonly number[], budget: number): readonly number[] {
  let left = budget;
  let share = budget;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    share = Math.floor(left / (sizes.length - at));
    if (size > share) break;
    left -= size;
  }
  return sizes.map((size) => Math.min(size, share));
}
