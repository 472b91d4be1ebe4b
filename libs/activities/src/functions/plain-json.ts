import type { Json } from '#lib/kernel';

/** A value that JSON text would change. The message says which part. */
class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * The value after a round trip through JSON text; members that are `undefined` are left out.
 * @throws NotJson for a value that JSON would silently change: a function, a date, a map, NaN.
 */
export function plainJson(value: unknown): Json {
  const seen: unknown[] = [];
  return copied(value, '', seen);
}

function copied(value: unknown, path: string, holders: readonly unknown[]): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object')
    throw notJson(path, typeof value === 'number' ? String(value) : typeof value);
  if (holders.includes(value)) throw notJson(path, 'an object that holds itself');
  const within = [...holders, value];
  if (Array.isArray(value)) return value.map((item, index) => copied(item, `${path}/${index}`, within));
  if (!isPlain(value)) throw notJson(path, `an instance of ${value.constructor.name}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, copied(member, `${path}/${name}`, within)]),
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function notJson(path: string, what: string): NotJson {
  return new NotJson(`It returned what is not JSON: ${path === '' ? 'the result' : path} is ${what}.`);
}
