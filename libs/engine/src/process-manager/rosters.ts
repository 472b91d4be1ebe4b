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

  /** As new as what this process has written, and as the log was when it started. */
  async of(session: RosterPlace): Promise<RosterView> {
    await this.reads.reachedChanges(['specialists', 'alignment']);
    const [all, tallies] = await Promise.all([
      specialistsOfMachine(this.store.db, session.machineName),
      alignmentTallies(this.store.db, alignmentScope(session)),
    ]);
    const registered = all.filter(({ specialistId }) => !isDefaultOfAnother(specialistId, session.sessionId));
    return rosterView(session, registered, tallies);
  }
}

function rosterView(
  session: RosterPlace,
  registered: readonly MachineSpecialist[],
  tallies: readonly AlignmentTallyRecord[],
): RosterView {
  const alignment = snapshot(registered, tallies);
  const here = specialistsOfState(session.machine, session.currentState, registered);
  const asked = here.filter(({ role, isHuman }) => role === 'proposer' && !isHuman);
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
    asked: proposers.map((specialistId) => ({
      score: alignment.scores.find((one) => one.specialistId === specialistId)?.score ?? 0,
      comparisons: tallies.find((one) => one.specialistId === specialistId)?.totalComparisons ?? 0,
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
  const scores = proposers.map(({ specialistId, isHuman }) => {
    const tally = tallies.find((one) => one.specialistId === specialistId);
    return { specialistId, score: isHuman ? 1 : tally ? score(tally) : 0 };
  });
  return { rule: DECIDING_RULE.name, ruleVersion, ...(position !== undefined && { position }), scores };
}
