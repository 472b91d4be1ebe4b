import type { AlignmentTallyRecord, MachineSpecialist } from '#lib/read-models';
import {
  type AlignmentSnapshot,
  type AskedProposer,
  type Roster,
  specialistsOfState,
} from '#lib/decisions/session';
import { DECIDING_RULE, scoringRules } from '#lib/decisions/specialists';
import type { SessionContext } from '../round-context.js';
import { isAsked, rosterOf } from './roster.rules.js';

/** The specialists of a session's current round, with all alignment of the machine. */
export interface RoundParticipants extends Roster {
  /** Every specialist that may take part in the session, in the version that it uses, in order of registration. */
  readonly registered: readonly MachineSpecialist[];
  /** The position of the event that began the round. */
  readonly roundBegan?: string;
  /** The alignment of each of `proposers`. */
  readonly asked: readonly AskedProposer[];
}

/**
 * The participants of a session's current round.
 * @param withDefaults built-in specialists fill a role without a registered specialist
 */
export function participantsIn(
  session: SessionContext,
  registered: readonly MachineSpecialist[],
  tallies: readonly AlignmentTallyRecord[],
  roundBegan?: string,
  withDefaults = false,
): RoundParticipants {
  const alignment = snapshot(registered, tallies);
  const roster = rosterOf(session, { registered, alignment, roundBegan, withDefaults });
  const asked = specialistsOfState(session.machine, session.currentState, registered).filter(isAsked);
  return {
    ...roster,
    registered,
    ...(roundBegan !== undefined && { roundBegan }),
    asked: asked.map((proposer) => ({
      score: alignment.scores.find((one) => one.specialistId === proposer.specialistId)?.score ?? 0,
      comparisons: tallyOf(proposer, tallies)?.totalComparisons ?? 0,
    })),
  };
}

function snapshot(
  registered: readonly MachineSpecialist[],
  tallies: readonly AlignmentTallyRecord[],
): AlignmentSnapshot {
  const { version: ruleVersion, score } = scoringRules[DECIDING_RULE.name];
  const proposers = registered.filter(({ role }) => role === 'proposer');
  const position = tallies
    .map((tally) => tally.position)
    .toSorted()
    .at(-1);
  const scores = proposers.map((proposer) => {
    const { specialistId, version: specialistVersion, isHuman } = proposer;
    const tally = tallyOf(proposer, tallies);
    const known = tally && { comparisons: tally.totalComparisons };
    return { specialistId, specialistVersion, score: isHuman ? 1 : tally ? score(tally) : 0, ...known };
  });
  return { rule: DECIDING_RULE.name, ruleVersion, ...(position !== undefined && { position }), scores };
}

function tallyOf(
  { specialistId, version }: MachineSpecialist,
  tallies: readonly AlignmentTallyRecord[],
): AlignmentTallyRecord | undefined {
  return tallies.find((one) => one.specialistId === specialistId && one.specialistVersion === version);
}
