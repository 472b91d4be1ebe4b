import { escapePointerToken } from './json-pointer.js';

/** A value within another one, and the way to it. */
interface Located {
  readonly value: unknown;
  readonly parent?: Located;
  readonly token?: string;
}

/**
 * A JSON pointer to a value that has no JSON text, such as the infinity that `JSON.parse` makes of `1e999`, or a function: it would
 * be stored as null, or not at all. A member that is undefined is an absent one. `undefined` when there is none. Takes values of
 * any depth.
 */
export function unstorableValue(value: unknown): string | undefined {
  const open: Located[] = [{ value }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: found } = next;
    if (!hasText(next)) return pointerTo(next);
    if (typeof found !== 'object' || found === null) continue;
    for (const [token, member] of Object.entries(found)) open.push({ value: member, parent: next, token });
  }
  return undefined;
}

function hasText({ value, parent }: Located): boolean {
  if (value === undefined) return !Array.isArray(parent?.value);
  if (typeof value === 'number') return Number.isFinite(value);
  return !['function', 'symbol', 'bigint'].includes(typeof value);
}

function pointerTo(located: Located): string {
  const tokens: string[] = [];
  for (let at = located; at.parent; at = at.parent) tokens.unshift(escapePointerToken(at.token ?? ''));
  return tokens.map((token) => `/${token}`).join('');
}
