import type { DecisionDay } from '#lib/client';

const DAY_MS = 86_400_000;
/** The most columns that can be told apart. */
const MOST_COLUMNS = 45;
/** Days of a column: one, a week, four weeks, and so on. */
const LENGTHS = [1, 7, 28, 91, 364];

/** The decisions of some days in a row by who made them. */
export interface Period {
  /** Its first UTC day. */
  readonly from: string;
  readonly people: number;
  readonly agreement: number;
  readonly models: number;
}

/** The periods of each state, all over the same days. */
interface OverTime {
  /** Days of a period. */
  readonly days: number;
  readonly states: readonly { readonly state: string; readonly periods: readonly Period[] }[];
}

/**
 * The decisions of each state from the first day with one to the last, in the shortest periods that there is room for. Periods without a
 * decision are included, so that a column has its place in time. Operators and timers do not count: they do not decide between proposals.
 */
export function overTime(lines: readonly DecisionDay[]): OverTime {
  const decided = lines.filter((line) => sumOf(line) > 0);
  const days = decided.map(({ day }) => dayNumber(day));
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const length =
    LENGTHS.find((each) => (last - first) / each < MOST_COLUMNS) ??
    Math.ceil((last - first + 1) / MOST_COLUMNS);
  const states = [...new Set(decided.map(({ state = '' }) => state))].toSorted();
  const begins = Array.from(
    { length: days.length === 0 ? 0 : Math.floor((last - first) / length) + 1 },
    (_, n) => first + n * length,
  );
  return {
    days: length,
    states: states.map((state) => {
      const ofState = decided.filter((line) => line.state === state);
      const within = (from: number) =>
        ofState.filter(({ day }) => dayNumber(day) >= from && dayNumber(day) < from + length);
      return { state, periods: begins.map((from) => periodOf(from, within(from))) };
    }),
  };
}

function periodOf(from: number, lines: readonly DecisionDay[]): Period {
  const sum = (member: 'humanDecisions' | 'agreedDecisions' | 'aiDecisions') =>
    lines.reduce((total, line) => total + line[member], 0);
  return {
    from: new Date(from * DAY_MS).toISOString().slice(0, '2026-01-31'.length),
    people: sum('humanDecisions'),
    agreement: sum('agreedDecisions'),
    models: sum('aiDecisions'),
  };
}

function sumOf({ humanDecisions, agreedDecisions, aiDecisions }: DecisionDay): number {
  return humanDecisions + agreedDecisions + aiDecisions;
}

function dayNumber(day: string): number {
  return Date.parse(day) / DAY_MS;
}
