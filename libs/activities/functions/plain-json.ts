import { escapePointerToken, type Json, MOST_ANSWER_LEVELS } from '#lib/kernel';

/** A value that JSON text would change. The message says which part. */
class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * The answer of a function of the application, as it is recorded: `undefined` becomes `null` alone and in a list, and is left out of
 * an object. An object with a `toJSON`, such as a date, becomes its result. The engine reads the answers of all functions with it.
 * @throws NotJson for a value that JSON would silently change: a function, a map, NaN, an object that holds itself; for more than `MOST_ANSWER_LEVELS`.
 */
export function plainJson(value: unknown): Json {
  return copied(value, '', []);
}

function copied(value: unknown, path: string, holders: readonly unknown[]): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object')
    throw notJson(path, typeof value === 'number' ? String(value) : typeof value);
  if (holders.includes(value)) throw notJson(path, 'an object that holds itself');
  if (holders.length === MOST_ANSWER_LEVELS)
    throw new NotJson(`It returned what is nested more than ${MOST_ANSWER_LEVELS} levels deep.`);
  const within = [...holders, value];
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return copied((value as { toJSON(): unknown }).toJSON(), path, within);
  if (Array.isArray(value)) return value.map((item, index) => copied(item, `${path}/${index}`, within));
  if (!isPlain(value)) throw notJson(path, `an instance of ${value.constructor.name}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, copied(member, `${path}/${escapePointerToken(name)}`, within)]),
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function notJson(path: string, what: string): NotJson {
  return new NotJson(`It returned what is not JSON: ${path === '' ? 'the result' : path} is ${what}.`);
}
