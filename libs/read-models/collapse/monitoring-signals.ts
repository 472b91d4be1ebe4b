import type { AlignmentScore } from '#lib/decisions/session';

/** The number of last decisions that count as recent. */
export const RECENT_DECISIONS = 10;

const LOW_ALIGNMENT = 0.5;
const THIN_MARGIN = 0.1;
/** With fewer comparisons the score of a proposer is uncertain. */
const ENOUGH_COMPARISONS = 10;
/** More than the rounding error of sums such as 0.7 + 0.1. */
const NOISE = 1e-9;

/** A decision as input of the signals. */
export interface RecentDecision {
  /** A person decided, or had proposed the transition that an arbiter chose; else models decided alone. */
  readonly isHuman: boolean;
  readonly state: string;
  /** Null if the arbiter measured none. */
  readonly margin: number | null;
  /** The threshold that the arbiter used; absent if none is recorded. */
  readonly threshold?: number;
  /** The winner's comparisons with people before the decision; absent if not recorded. */
  readonly winnerComparisons?: number;
  /** The scores at the time of the decision. */
  readonly scores: readonly AlignmentScore[];
}

/** The numbers from which the signals of a machine are computed. */
export interface SignalNumbers {
  /** The comparisons of all proposers with people. */
  readonly comparisons: number;
  /** The highest alignment score of any proposer that is not human, from 0 to 1. */
  readonly bestAlignment: number;
  /** The number of enabled non-human proposers. */
  readonly proposers: number;
  /** At most the last RECENT_DECISIONS, without those of operators and timers. */
  readonly recent: readonly RecentDecision[];
}

/** A fact for the people who watch a machine. */
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

/** A margin of 1 is never thin, however high the threshold. Without a recorded threshold (an arbiter of the application's own) no margin is. */
function isThin({ margin, threshold }: RecentDecision): boolean {
  if (margin === null || threshold === undefined) return false;
  return margin < 1 && margin <= threshold + THIN_MARGIN + NOISE;
}

function fullCollapse({ recent }: SignalNumbers): Signal {
  if (recent.length < RECENT_DECISIONS || recent.some(({ isHuman }) => isHuman)) return undefined;
  const text = `The last ${RECENT_DECISIONS} decisions needed no person.`;
  return { code: 'FULL_COLLAPSE', level: 'info', text };
}

/** Scores are compared within a state, since states may have separate alignment. There is no plateau before the first score above 0. */
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
