import { escapePointerToken } from './json-pointer.js';

/** A value within another one, and the way to it. */
interface Located {
  readonly value: unknown;
  readonly parent?: Located;
  readonly token?: string;
}

/**
 * A JSON pointer to a number that has no JSON text, such as the infinity that `JSON.parse` makes of `1e999`: it would be stored as
 * null. `undefined` when there is none. Takes values of any depth.
 */
export function unstorableNumber(value: unknown): string | undefined {
  const open: Located[] = [{ value }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: found } = next;
    if (typeof found === 'number' && !Number.isFinite(found)) return pointerTo(next);
    if (typeof found !== 'object' || found === null) continue;
    for (const [token, member] of Object.entries(found)) open.push({ value: member, parent: next, token });
  }
  return undefined;
}

function pointerTo(located: Located): string {
  const tokens: string[] = [];
  for (let at = located; at.parent; at = at.parent) tokens.unshift(escapePointerToken(at.token ?? ''));
  return tokens.map((token) => `/${token}`).join('');
}
