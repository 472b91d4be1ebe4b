import type { AlignmentScore } from '#lib/decisions/session';

/** How many of the last decisions count as recent. */
export const RECENT_DECISIONS = 10;

const LOW_ALIGNMENT = 0.5;
const THIN_MARGIN = 0.1;
/** Fewer comparisons with people say little of a proposer. */
const ENOUGH_COMPARISONS = 10;
/** Sums such as 0.7 + 0.1 are off by less. */
const NOISE = 1e-9;

/** A decision, as input of the signals. */
export interface RecentDecision {
  /** Whether a person took it, or had proposed what an arbiter took; else models decided alone. */
  readonly isHuman: boolean;
  readonly state: string;
  /** Null if none was measured. */
  readonly margin: number | null;
  /** The one that the arbiter went by; absent if none is recorded. */
  readonly threshold?: number;
  /** How often the proposer that won had been compared with people; absent if none is recorded. */
  readonly winnerComparisons?: number;
  /** As they were known when it was taken. */
  readonly scores: readonly AlignmentScore[];
}

/** The data from which the signals of a machine are computed. */
export interface SignalNumbers {
  /** How often any proposer was compared with a person. */
  readonly comparisons: number;
  /** The highest alignment score of any proposer that is not human, from 0 to 1. */
  readonly bestAlignment: number;
  /** How many proposers that are not humans are registered and enabled. */
  readonly proposers: number;
  /** The last RECENT_DECISIONS at most, without those of operators and timers. */
  readonly recent: readonly RecentDecision[];
}

/** A fact that the people who watch a machine should know. */
export interface MonitoringSignal {
  readonly code:
    | 'COLD_START'
    | 'SINGLE_SPECIALIST'
    | 'LOW_ALIGNMENT'
    | 'FEW_COMPARISONS'
    | 'THIN_MARGIN'
    | 'FULL_COLLAPSE'
    | 'ALIGNMENT_PLATEAU';
  /** `action`: a person has to act. `warning`: a risk. `info`: a fact worth knowing. */
  readonly level: 'action' | 'warning' | 'info';
  /** One sentence for people. */
  readonly text: string;
}

/** The signals of a machine, the most urgent first. */
export function monitoringSignals(numbers: SignalNumbers): readonly MonitoringSignal[] {
  return [
    coldStart(numbers),
    singleSpecialist(numbers),
    lowAlignment(numbers),
    fewComparisons(numbers),
    thinMargin(numbers),
    fullCollapse(numbers),
    alignmentPlateau(numbers),
  ].filter((signal) => signal !== undefined);
}

type Signal = MonitoringSignal | undefined;

function coldStart({ comparisons }: SignalNumbers): Signal {
  if (comparisons > 0) return undefined;
  const text = 'No specialist was compared with a person yet: let people decide some rounds.';
  return { code: 'COLD_START', level: 'action', text };
}

function singleSpecialist({ proposers }: SignalNumbers): Signal {
  if (proposers !== 1) return undefined;
  const text = 'Only one proposer can be asked: no other proposer can disagree with it.';
  return { code: 'SINGLE_SPECIALIST', level: 'warning', text };
}

function lowAlignment({ bestAlignment }: SignalNumbers): Signal {
  if (bestAlignment <= 0 || bestAlignment >= LOW_ALIGNMENT) return undefined;
  const text = `The best alignment is ${bestAlignment.toFixed(2)}: no proposer agrees with people half of the time for certain.`;
  return { code: 'LOW_ALIGNMENT', level: 'warning', text };
}

function fewComparisons({ recent }: SignalNumbers): Signal {
  const machines = recent.filter(({ isHuman }) => !isHuman);
  const hasty = machines.filter(
    ({ winnerComparisons }) => (winnerComparisons ?? ENOUGH_COMPARISONS) < ENOUGH_COMPARISONS,
  );
  if (hasty.length === 0) return undefined;
  const text = `${hasty.length} of the last ${machines.length} decisions without a person followed a proposer that was compared with people fewer than ${ENOUGH_COMPARISONS} times: set trust.`;
  return { code: 'FEW_COMPARISONS', level: 'warning', text };
}

function thinMargin({ recent }: SignalNumbers): Signal {
  const machines = recent.filter(({ isHuman }) => !isHuman);
  const thin = machines.filter(isThin);
  if (thin.length * 2 <= machines.length) return undefined;
  const text = `${thin.length} of the last ${machines.length} decisions without a person were within ${THIN_MARGIN} of their threshold.`;
  return { code: 'THIN_MARGIN', level: 'warning', text };
}

/**
 * A margin of 1 cannot be wider, however high the threshold. Without a recorded threshold (an arbiter of the application's own)
 * nothing says what would be close.
 */
function isThin({ margin, threshold }: RecentDecision): boolean {
  if (margin === null || threshold === undefined) return false;
  return margin < 1 && margin <= threshold + THIN_MARGIN + NOISE;
}

function fullCollapse({ recent }: SignalNumbers): Signal {
  if (recent.length < RECENT_DECISIONS || recent.some(({ isHuman }) => isHuman)) return undefined;
  const text = `The last ${RECENT_DECISIONS} decisions needed no person.`;
  return { code: 'FULL_COLLAPSE', level: 'info', text };
}

/** Scores are compared within a state: states may keep alignment of their own. Before any score is above 0 nothing can level off. */
function alignmentPlateau({ recent, bestAlignment }: SignalNumbers): Signal {
  if (recent.length < RECENT_DECISIONS || bestAlignment <= 0) return undefined;
  const seen = new Set(recent.map(({ state, scores }) => JSON.stringify([state, sortedScores(scores)])));
  const states = new Set(recent.map(({ state }) => state));
  if (seen.size !== states.size) return undefined;
  const text = `No alignment score has changed over the last ${RECENT_DECISIONS} decisions.`;
  return { code: 'ALIGNMENT_PLATEAU', level: 'info', text };
}

function sortedScores(scores: readonly AlignmentScore[]): readonly string[] {
  return scores.map(({ specialistId, score }) => `${specialistId} ${score}`).toSorted();
}
