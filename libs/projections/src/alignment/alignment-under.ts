import { type ScoringRule, scoringRules, scoringRuleText } from '#lib/specialist';
import type { Rows } from '../store/rows.js';
import { scoredAlignment } from './scored-alignment.js';

/** How well the choices of a version of a proposer agree with those of people, in the whole machine or in one state of it. */
export interface SpecialistAlignment {
  readonly specialistId: string;
  readonly specialistVersion: number;
  /** Present where the machine declares specialists for that state. */
  readonly state?: string;
  readonly matchingChoices: number;
  readonly totalComparisons: number;
  /** From 0 to 1. */
  readonly alignmentScore: number;
}

/** A machine's alignment as one rule scores it. */
export interface MachineAlignment {
  /** By state, those of the whole machine first, then by specialist id and version. */
  readonly items: readonly SpecialistAlignment[];
  /** The rule as text, for example `wilson;halfLife=20`. */
  readonly rule: string;
  readonly ruleVersion: number;
  /** Of the last comparison, in the log; absent before there was any. */
  readonly position?: string;
}

/** Scores a machine's comparisons under another rule than its sessions use. Nothing is written. */
export async function alignmentUnder(
  db: Rows<'alignment'>,
  { machineName, rule }: { readonly machineName: string; readonly rule: ScoringRule },
): Promise<MachineAlignment> {
  const scored = await scoredAlignment(db, { machineName }, rule);
  return {
    items: scored.map(({ machineName: _, position: __, ...one }) => one),
    rule: scoringRuleText(rule),
    ruleVersion: scoringRules[rule.name].version,
    ...latestPosition(scored),
  };
}

/** The last of these positions of one log; no member where there are none. */
function latestPosition(placed: readonly { readonly position: string }[]): {
  readonly position?: string;
} {
  const [last] = placed.map(({ position }) => position).toSorted((a, b) => (a > b ? -1 : 1));
  return last === undefined ? {} : { position: last };
}
