import { escapePointerToken, isJsonObject, ownMember } from '#lib/kernel';
import type { MachineProblem } from './machine-problem.js';

/**
 * The bounds of a machine's definition. They are the same on every machine. Schemas within it have their own (`schemaLimits`). docs/limits.md lists
 * both for authors.
 */
export const machineLimits = {
  /** Levels of nested objects and arrays. */
  depth: 100,
  /** Members of all objects and items of all arrays. */
  values: 10_000,
  /** States, transitions and entries of specialists, all together. */
  parts: 1_200,
  /** Characters of a member's name, such as the name of a state. */
  nameLength: 256,
  /** Characters of all context templates together. */
  templates: 256 * 1024,
} as const;

interface LocatedValue {
  readonly value: object;
  readonly path: string;
  readonly depth: number;
}

/** The reason why a value is too large to be read as a machine. All other code that reads a definition takes time linear in these limits. */
export function sizeProblem(value: unknown): MachineProblem | undefined {
  const { depth, values, nameLength } = machineLimits;
  let left: number = values;
  const open = locatedIn(value, '', 1);
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.depth > depth) return tooDeep(`is nested more than ${depth} levels deep`);
    const names = Object.keys(node.value);
    left -= names.length;
    if (left < 0)
      return invalid(
        node.path,
        `has the member or item that is one too many: a definition may have ${values}`,
      );
    if (names.some((name) => name.length > nameLength))
      return invalid(node.path, `has a member with a name of more than ${nameLength} characters`);
    open.push(...inside(node, names));
  }
  return tooManyParts(value);
}

/** Parts have a limit of their own, because reading one costs more than reading a member of a schema. */
function tooManyParts(value: unknown): MachineProblem | undefined {
  let left: number = machineLimits.parts - sizeOf(value, 'specialists') - sizeOf(value, 'states');
  if (left < 0) return onePartTooMany('');
  const states = isJsonObject(value) ? ownMember(value, 'states') : undefined;
  for (const [name, state] of Object.entries(isJsonObject(states) ? states : {})) {
    left -= sizeOf(state, 'specialists') + sizeOf(state, 'transitions');
    if (left < 0) return onePartTooMany(`/states/${escapePointerToken(name)}`);
  }
  return undefined;
}

function sizeOf(holder: unknown, member: string): number {
  const value = isJsonObject(holder) ? ownMember(holder, member) : undefined;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function onePartTooMany(path: string): MachineProblem {
  const { parts } = machineLimits;
  return invalid(
    path,
    `has the state, transition or specialist that is one too many: a machine may have ${parts}`,
  );
}

function inside({ value, path, depth }: LocatedValue, names: readonly string[]): LocatedValue[] {
  return names.flatMap((name) =>
    locatedIn(
      (value as { readonly [name: string]: unknown })[name],
      `${path}/${escapePointerToken(name)}`,
      depth + 1,
    ),
  );
}

function locatedIn(value: unknown, path: string, depth: number): LocatedValue[] {
  return typeof value === 'object' && value !== null ? [{ value, path, depth }] : [];
}

function invalid(path: string, message: string): MachineProblem {
  return { path, message, kind: 'invalid' };
}

function tooDeep(message: string): MachineProblem {
  return { path: '', message, kind: 'malformed' };
}
