import { activeTimes, type Bar, type Gap, IDLE_MS } from './active-time.js';
import type { Entry, Round } from './rounds.js';

/** A row of the timeline. */
export type Row =
  | { readonly kind: 'round'; readonly key: string; readonly round: Round; readonly isOpen: boolean }
  | {
      readonly kind: 'event';
      readonly key: string;
      readonly entry: Entry;
      readonly bar: Bar;
      readonly level: 1 | 2;
    }
  | { readonly kind: 'idle'; readonly key: string; readonly ms: number; readonly level: 1 | 2 };

/** Up to this many events are shown whole; in longer histories the decided rounds are folded, except the newest one. */
const SHOWN_WHOLE = 60;

/** Whether a round is open until a person opens or closes it. */
export function openAtFirst(rounds: readonly Round[]): (round: Round) => boolean {
  const events = rounds.reduce((sum, { entries }) => sum + entries.length, 0);
  const newest = rounds.at(-1);
  return (round) => events <= SHOWN_WHOLE || !round.decision || round === newest;
}

/** The address of an event: `?event=<stream>@<revision>`. */
function eventKey({ event }: Entry): string {
  return `${event.stream}@${event.revision}`;
}

/**
 * The rows, in order.
 * @param isOpen whether the events of a round are shown
 * @param isGrouped the events of a run are one group, and need no row with its name
 */
export function rowsOf(
  rounds: readonly Round[],
  isOpen: (round: Round) => boolean,
  isGrouped: boolean,
): readonly Row[] {
  let before: number | undefined;
  return rounds.flatMap((round) => {
    const begin = timeOf(round.entries[0]);
    const idle = isGrouped && before !== undefined ? idleRow(`before ${round.id}`, begin - before, 1) : [];
    before = timeOf(round.entries.at(-1));
    const open = !isGrouped || isOpen(round);
    const head: Row = { kind: 'round', key: round.id, round, isOpen: open };
    return [...idle, ...(isGrouped ? [head] : []), ...(open ? eventRows(round, isGrouped ? 2 : 1) : [])];
  });
}

function eventRows({ entries }: Round, level: 1 | 2): Row[] {
  const { bars, gaps } = activeTimes(entries.map(({ event }) => event));
  return entries.flatMap((entry, index): Row[] => {
    const key = eventKey(entry);
    const bar = bars[index] ?? { left: 0, width: 0 };
    return [...gapRow(key, gaps[index], level), { kind: 'event', key, entry, bar, level }];
  });
}

function gapRow(key: string, gap: Gap | undefined, level: 1 | 2): Row[] {
  return gap === undefined ? [] : idleRow(`before ${key}`, gap, level);
}

function idleRow(key: string, ms: number, level: 1 | 2): Row[] {
  return ms >= IDLE_MS ? [{ kind: 'idle', key, ms, level }] : [];
}

function timeOf(entry: Entry | undefined): number {
  return Date.parse(entry?.event.occurredAt ?? '');
}
