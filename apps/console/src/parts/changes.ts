import { create } from 'jsondiffpatch';

/** Items of lists are matched by their content. One in another place is removed there and added here. */
const differ = create({ objectHash: (item) => JSON.stringify(item), arrays: { detectMove: false } });

/** A difference between two JSON values. */
export interface Change {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The differences between two JSON values, in the order of their members. */
export function changesOf(before: object, after: object): readonly Change[] {
  return changesIn(differ.diff(before, after), '');
}

/** The deltas of jsondiffpatch: `[new]`, `[old, new]`, `[old, 0, 0]`, and those of lists (`_t` is `a`, `_` is before old places) and of objects. */
function changesIn(delta: unknown, pointer: string): readonly Change[] {
  if (Array.isArray(delta)) {
    const [first, second] = delta as readonly unknown[];
    if (delta.length === 1) return [{ pointer, after: first }];
    return [delta.length === 2 ? { pointer, before: first, after: second } : { pointer, before: first }];
  }
  if (typeof delta !== 'object' || delta === null) return [];
  const { _t: kind, ...places } = delta as { readonly [name: string]: unknown };
  const isList = kind === 'a';
  return Object.entries(isList ? places : delta).flatMap(([name, inner]) =>
    changesIn(inner, `${pointer}/${isList ? name.replace(/^_/, '') : escaped(name)}`),
  );
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
