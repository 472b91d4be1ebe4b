import {
  type AlignmentTallyRecord,
  alignmentTallies,
  type ReadStore,
  type MachineSpecialist,
  specialistsOfMachine,
} from '#lib/projections';
import {
  alignmentScope,
  type AlignmentSnapshot,
  championFirst,
  engineQuorum,
  isDefaultOfAnother,
  type Session,
  specialistsOfState,
} from '#lib/session';
import { DECIDING_RULE, scoringRules } from '#lib/specialist';
import type { ReadSide } from '../read-side/read-side.js';
import { arbiterRef } from './arbiter-ref.js';
import type { RosterView } from './roster-view.js';

/** Where a session stands, or will. */
export type RosterPlace = Pick<Session, 'machineName' | 'machine' | 'currentState'> &
  Partial<Pick<Session, 'sessionId'>>;

/** Reads who takes part in a round, and how far each is trusted. */
export class Rosters {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /**
   * As new as what this process has written, and as the log was when it started.
   * @param roundBegan log position of the event that began the round; a proposer that was disabled later counts in the quorum
   */
  async of(session: RosterPlace, roundBegan?: string): Promise<RosterView> {
    await this.reads.reachedChanges(['specialists', 'alignment']);
    const [all, tallies] = await Promise.all([
      specialistsOfMachine(this.store.db, session.machineName),
      alignmentTallies(this.store.db, alignmentScope(session)),
    ]);
    const registered = all.filter(({ specialistId }) => !isDefaultOfAnother(specialistId, session.sessionId));
    const quorum = quorumOf(session, registered, roundBegan);
    return { ...rosterView(session, registered, tallies), quorum };
  }
}

function rosterView(
  session: RosterPlace,
  registered: readonly MachineSpecialist[],
  tallies: readonly AlignmentTallyRecord[],
): Omit<RosterView, 'quorum'> {
  const alignment = snapshot(registered, tallies);
  const here = specialistsOfState(session.machine, session.currentState, registered);
  const asked = here.filter(isAsked);
  const proposers = championFirst(
    asked.map(({ specialistId }) => specialistId),
    alignment.scores,
  );
  const arbiter = here.find(({ role }) => role === 'arbiter');
  return {
    registered,
    proposers,
    ...(arbiter && { arbiter: arbiterRef(arbiter) }),
    alignment,
    asked: asked.map((proposer) => ({
      score: alignment.scores.find((one) => one.specialistId === proposer.specialistId)?.score ?? 0,
      comparisons: tallyOf(proposer, tallies)?.totalComparisons ?? 0,
    })),
  };
}

function isAsked({ role, isHuman }: MachineSpecialist): boolean {
  return role === 'proposer' && !isHuman;
}

/** The proposers that failed, and those that were disabled since the round began, count: neither makes a decision easier. */
function quorumOf(place: RosterPlace, registered: readonly MachineSpecialist[], roundBegan?: string): number {
  const inRound = registered.map((one) => ({
    ...one,
    enabled: one.enabled || isDisabledSince(one, roundBegan),
  }));
  const enabled = specialistsOfState(place.machine, place.currentState, inRound).filter(isAsked);
  return engineQuorum(place, enabled.length);
}

function isDisabledSince({ disabledPosition }: MachineSpecialist, position: string | undefined): boolean {
  return disabledPosition !== undefined && position !== undefined && disabledPosition > position;
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
    return { specialistId, specialistVersion, score: isHuman ? 1 : tally ? score(tally) : 0 };
  });
  return { rule: DECIDING_RULE.name, ruleVersion, ...(position !== undefined && { position }), scores };
}

function tallyOf(
  { specialistId, version }: MachineSpecialist,
  tallies: readonly AlignmentTallyRecord[],
): AlignmentTallyRecord | undefined {
  return tallies.find((one) => one.specialistId === specialistId && one.specialistVersion === version);
}
