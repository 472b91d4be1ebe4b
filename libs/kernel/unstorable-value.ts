import { escapePointerToken } from './json-pointer.js';

/** An object or a list within another one, and the path to it. */
interface Located {
  readonly value: object;
  readonly parent?: Located;
  readonly token?: string;
}

/**
 * A JSON pointer to a value without a JSON text, such as the infinity that `JSON.parse` makes of `1e999`, or a function: it would be stored as null,
 * or not at all. `undefined` if there is none. An undefined member counts as absent. Takes values of any depth. Lists of millions of numbers, which a
 * model's reply may hold, are checked without an object for each.
 */
export function unstorableValue(value: unknown): string | undefined {
  if (value !== undefined && !hasText(value)) return '';
  const open: Located[] = isContainer(value) ? [{ value }] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const found = Array.isArray(next.value) ? lookThroughList(next, open) : lookThroughObject(next, open);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lookThroughList(parent: Located, open: Located[]): string | undefined {
  const list = parent.value as readonly unknown[];
  for (let index = 0; index < list.length; index++) {
    const value = list[index];
    if (isContainer(value)) open.push({ value, parent, token: `${index}` });
    else if (!hasText(value)) return pointerTo(parent, `${index}`);
  }
  return undefined;
}

function lookThroughObject(parent: Located, open: Located[]): string | undefined {
  for (const [token, value] of Object.entries(parent.value)) {
    if (isContainer(value)) open.push({ value, parent, token });
    else if (value !== undefined && !hasText(value)) return pointerTo(parent, token);
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function hasText(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return !['undefined', 'function', 'symbol', 'bigint'].includes(typeof value);
}

function pointerTo(parent: Located, token: string): string {
  const tokens = [token];
  for (let at = parent; at.parent; at = at.parent) tokens.push(at.token ?? '');
  return tokens
    .toReversed()
    .map((one) => `/${escapePointerToken(one)}`)
    .join('');
}
