import type { HistoryRoot } from '../file/history-lines.js';
import type { Change } from './changes.js';

/** The verdicts about a history, and the exit code of each; the numbers are a contract. */
export const VERDICTS = {
  same: 0,
  requests: 10,
  decisions: 11,
  diverges: 12,
  unreadable: 13,
  double: 13,
} as const;

export type Verdict = keyof typeof VERDICTS;

/** The result of comparing one history with today. */
export interface JudgedHistory {
  readonly file: string;
  /** Absent if the file cannot be read. */
  readonly root?: HistoryRoot;
  readonly verdict: Verdict;
  /** The first difference. */
  readonly first?: Change;
  /** The reason why the file cannot be compared. */
  readonly why?: string;
}

/** The result of comparing a corpus. The exit code follows from the verdicts. */
export interface Regression {
  readonly exitCode: number;
  readonly histories: readonly JudgedHistory[];
  /** Given machines that no compared history uses; absent if all are used. */
  readonly unusedMachines?: readonly string[];
}

/** The exit code is the highest of all. A comparison without histories, or with an unused machine, does not pass. */
export function regressionOf(
  histories: readonly JudgedHistory[],
  unusedMachines: readonly string[] = [],
): Regression {
  const codes = histories.map(({ verdict }) => VERDICTS[verdict]);
  const unused = unusedMachines.length > 0;
  const exitCode = codes.length === 0 || unused ? VERDICTS.unreadable : Math.max(...codes);
  return { exitCode, histories, ...(unused && { unusedMachines }) };
}
