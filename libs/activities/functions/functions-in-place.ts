import { isJsonObject, type Json, RedialError } from '#lib/kernel';
import type { WorkflowFn } from './function.activity.js';
import { isPlainObject } from './plain-json.js';

/** A function is registered under a name that is taken. */
export class DuplicateFunction extends RedialError {
  constructor(kind: string, name: string) {
    super(`${kind} "${name}"`, 'the name is taken', 'Register it under another name');
  }
}

type Plain = string | number | boolean | null | undefined;

/** A definition of code: a function may stand in the place of its name (`fn`, `fnName`), and a bare one in the place of `{ fn }`. */
export type WithFunctions<T> = [Json] extends [T]
  ? T
  : T extends Plain
    ? T
    : string extends keyof T
      ? T
      : T extends { readonly fn: string }
        ? T | WorkflowFn | { readonly fn: WorkflowFn }
        : T extends { readonly fnName: string }
          ? T | (Omit<T, 'fnName'> & { readonly fnName: WorkflowFn })
          : { readonly [Member in keyof T]: WithFunctions<T[Member]> };

/** The functions of a definition, by the names that stand in their places. */
export interface InPlace<T> {
  readonly definition: T;
  readonly functions: { readonly [fnName: string]: WorkflowFn };
}

const NAMES: ReadonlySet<string> = new Set(['fn', 'fnName']);

/**
 * A definition with names in the place of its functions: the path that leads to the function, with the name of an item of a list in place of
 * its index where it has one.
 * @param name of the definition, with which the paths begin
 * @throws DuplicateFunction if two functions have one path
 */
export function functionsInPlace<T>(name: string, definition: WithFunctions<T>): InPlace<T> {
  const functions: { [fnName: string]: WorkflowFn } = {};
  const named = (value: unknown, path: string, member: string): unknown => {
    if (typeof value === 'function') {
      if (Object.hasOwn(functions, path)) throw new DuplicateFunction('function', path);
      functions[path] = value as WorkflowFn;
      return NAMES.has(member) ? path : { fn: path };
    }
    if (Array.isArray(value))
      return value.map((item, index) => named(item, `${path}/${labels(value)[index]}`, ''));
    if (!isPlainObject(value)) return value;
    const members = Object.entries(value).map(([key, one]) => [
      key,
      named(one, NAMES.has(key) ? path : `${path}/${key}`, key),
    ]);
    return Object.fromEntries(members);
  };
  return { definition: named(definition, name, '') as T, functions };
}

/** The label of each item: its own id or title, or its index if it has none or shares it. */
function labels(items: readonly unknown[]): readonly string[] {
  const own = items.map((item) => (isJsonObject(item) ? (item['id'] ?? item['title']) : undefined));
  const isOwn = (label: unknown): label is string =>
    typeof label === 'string' && own.indexOf(label) === own.lastIndexOf(label);
  return own.map((label, index) => (isOwn(label) ? label : String(index)));
}
