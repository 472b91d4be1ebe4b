import type { Field } from '../forms/fields.js';

/** The values of a form of a fork, by the names of its fields. */
export interface ForkValue {
  readonly effects?: 'hold' | 'allow';
  readonly reason?: string;
  readonly [field: string]: unknown;
}

/** Sessions and runs are forked after a revision. */
export const AT_REVISION: Field = {
  name: 'atRevision',
  label: 'After revision',
  kind: 'number',
  isNeeded: true,
};

/** The models and their parameters in a fork of a run or conversation, in place of the current ones. */
export const MODEL_FIELDS: readonly Field[] = [
  { name: 'model', label: 'Model', kind: 'text', isNeeded: false, hint: 'empty: the current ones' },
  { name: 'modelParameters', label: 'Its parameters', kind: 'json', isNeeded: false },
];

/** The named values that differ from those at the beginning. */
export function changedOf(begun: ForkValue, value: ForkValue, names: readonly string[]): object {
  const changed = names.filter(
    (name) => value[name] !== undefined && JSON.stringify(value[name]) !== JSON.stringify(begun[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, value[name]]));
}

/** The part of a request that every fork has. */
export function forkRequest({ effects, reason }: ForkValue, overrides: object) {
  return {
    ...(Object.keys(overrides).length > 0 && { overrides }),
    ...(effects && { effects }),
    ...(reason && { reason }),
  };
}

/** The revision of the selected event in the address, if it is an event of the stream with this id. */
export function selectedRevision(event: string | undefined, id: string): number | undefined {
  const [stream, revision = ''] = event?.split('@') ?? [];
  return stream?.endsWith(`-${id}`) && /^\d+$/.test(revision) ? Number(revision) : undefined;
}
