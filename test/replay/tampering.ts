import fc from 'fast-check';
import type { History, HistoryEvent } from './history.js';

/** One change of one event, and what it was. */
export interface Tampering {
  readonly what: string;
  readonly event: HistoryEvent;
  readonly changed: HistoryEvent;
}

/** Events that pure code derives: what they say follows from what came before. */
const DERIVED =
  /^(Session|Proposal|Transition|Consensus|Verdict|Human)|Requested$|^(FallbackTaken|ArbitrationFailed|ChildStarted|TimerStarted|WorkflowEnded)$/;

function isDerived({ type }: HistoryEvent): boolean {
  return DERIVED.test(type);
}

/** A change of one value, or of the order of members, somewhere in the data of a derived event. */
export function tamperings({ events }: History): fc.Arbitrary<Tampering> {
  const all = events.filter(isDerived).flatMap(changesOf);
  return fc.constantFrom(...all);
}

function changesOf(event: HistoryEvent): Tampering[] {
  const data: unknown = JSON.parse(event.data);
  return variants(data, '').map(([what, changed]) => ({
    what: `${event.type} ${what}`,
    event,
    changed: { ...event, data: JSON.stringify(changed) },
  }));
}

type Variant = readonly [what: string, value: unknown];

/** Every value that differs from this one in one place: a leaf changed, a member or item gone, two neighbours swapped. */
export function variants(value: unknown, pointer: string): Variant[] {
  if (Array.isArray(value)) return arrayVariants(value, pointer);
  if (typeof value === 'object' && value !== null)
    return objectVariants(value as Record<string, unknown>, pointer);
  return [[`${pointer} changed`, changedLeaf(value)]];
}

function changedLeaf(value: unknown): unknown {
  if (typeof value === 'string') return `${value}~`;
  if (typeof value === 'number') return value + 1;
  return value === null ? false : !value;
}

function arrayVariants(items: readonly unknown[], pointer: string): Variant[] {
  const gone: Variant[] = items.map((_, at) => [`${pointer}/${at} gone`, items.toSpliced(at, 1)]);
  const inside = items.flatMap((item, at) =>
    variants(item, `${pointer}/${at}`).map(([what, changed]): Variant => [what, items.with(at, changed)]),
  );
  return [...gone, ...inside];
}

function objectVariants(members: Record<string, unknown>, pointer: string): Variant[] {
  const entries = Object.entries(members);
  const gone = entries.map(([name], at): Variant => [
    `${pointer}/${name} gone`,
    Object.fromEntries(entries.toSpliced(at, 1)),
  ]);
  const inside = entries.flatMap(([name, value], at) =>
    variants(value, `${pointer}/${name}`).map(([what, changed]): Variant => [
      what,
      Object.fromEntries(entries.with(at, [name, changed])),
    ]),
  );
  const swapped: Variant[] =
    entries.length > 1 ? [[`${pointer} reordered`, Object.fromEntries(entries.toReversed())]] : [];
  return [...gone, ...inside, ...swapped];
}
