import type { Moment, PastMoment, ReadSide } from '#lib/operations/core';
import {
  type AlignmentTallyRecord,
  alignmentTallies,
  type ReadStore,
  type MachineSpecialist,
  sessionOfMachine,
  specialistsOfMachine,
  specialistsOfSession,
} from '#lib/read-models';
import {
  alignmentScope,
  type AlignmentSnapshot,
  championFirst,
  DEFAULT_SPECIALIST,
  defaultArbiter,
  type AskedProposer,
  engineQuorum,
  type Roster,
  specialistsOfState,
} from '#lib/decisions/session';
import {
  DECIDING_RULE,
  scoringRules,
  specialistStreamId,
  specialistStreams,
} from '#lib/decisions/specialists';
import { ownSpecialists } from '#lib/decisions/registration/core';
import type { SessionContext } from '../round-context.js';
import { arbiterRef } from './arbiter-ref.js';

/** The specialists that can be asked about a session's current round, with the alignment of all of the machine. */
export interface RoundParticipants extends Roster {
  /** Every specialist that may take part in the session, in the version that it uses, in order of registration. */
  readonly registered: readonly MachineSpecialist[];
  /** Log position of the event that began the round. */
  readonly roundBegan?: string;
  /** The alignment of each of `proposers`. */
  readonly asked: readonly AskedProposer[];
}

/** Further facts of a round. */
interface RosterContext {
  /**
   * Log position of the event that began the round: a specialist that was registered by itself takes part in the version that was
   * current there, and a proposer that was disabled later counts in the quorum.
   */
  readonly roundBegan?: string | undefined;
  /** Whether built-in specialists fill a role without a registered specialist. */
  readonly withDefaults?: boolean | undefined;
}

/** Reads who takes part in a round, and how far each is trusted. */
export class Participants {
  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /**
   * Not older than the writes of this process, nor than the log at its start.
   * @param moment in which they are looked at; default: now
   */
  async of(
    session: SessionContext,
    { roundBegan, withDefaults }: RosterContext = {},
    moment?: Moment | PastMoment,
  ): Promise<RoundParticipants> {
    await this.reads.reachedChanges(['specialists', 'alignment']);
    await this.#checkWhole(session.machineName);
    const began = roundBegan !== undefined && { roundBegan };
    const scope = alignmentScope(session);
    const [shared, tallies] = await Promise.all([
      this.#specialists({ ...session, ...began }, moment),
      scope ? alignmentTallies(this.store.db, scope, moment?.position) : [],
    ]);
    const own = ownSpecialists(session);
    const isOwn = ({ specialistId }: MachineSpecialist) =>
      own.some((one) => one.specialistId === specialistId);
    const registered = [...own, ...shared.filter((one) => !isOwn(one))];
    const quorum = engineQuorum(session, enabledInRound(session, registered, roundBegan).length);
    const roster = { ...rosterView(session, registered, tallies), quorum, ...began };
    return withDefaults ? withDefaultsFor(roster, session) : roster;
  }

  /**
   * @throws StreamStandsStill while a specialist or a session of the machine does: who takes part, or what people chose, may be missing.
   * A session that stands still before its first event is in no row, and of no machine.
   */
  async #checkWhole(machineName: string): Promise<void> {
    await this.reads.checkWhole(['specialists', 'alignment'], async (still) => {
      const ofMachine = specialistStreams(machineName);
      const specialist = still.find(
        ({ category, id }) => category === 'specialist' && id.startsWith(ofMachine),
      );
      if (specialist) return specialist;
      const sessions = still.filter(({ category }) => category === 'session');
      const found = await sessionOfMachine(
        this.store.db,
        machineName,
        sessions.map(({ id }) => id),
      );
      return sessions.find(({ id }) => id === found);
    });
  }

  /** At a past moment as the streams of the specialists were: each that was there then is known now. */
  async #specialists(
    which: Parameters<typeof specialistsOfSession>[1],
    moment: Moment | PastMoment | undefined,
  ) {
    const { db } = this.store;
    if (moment?.position === undefined) return specialistsOfSession(db, which);
    const known = await specialistsOfMachine(db, which.machineName);
    const { streams } = moment.log;
    const past = known.map((one) => streams.of('specialist', specialistStreamId(one)));
    return moment.askAbout(past, ['specialists'], (rows) => specialistsOfSession(rows, which));
  }
}

function rosterView(
  session: SessionContext,
  registered: readonly MachineSpecialist[],
  tallies: readonly AlignmentTallyRecord[],
): Omit<RoundParticipants, 'quorum'> {
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

/** The built-in specialist for each role without a registered specialist, enabled or not. */
function withDefaultsFor(roster: RoundParticipants, context: SessionContext): RoundParticipants {
  const lacks = (role: MachineSpecialist['role']) => roster.registered.every((one) => one.role !== role);
  return {
    ...roster,
    ...(lacks('proposer') && { proposers: [DEFAULT_SPECIALIST], quorum: engineQuorum(context, 1) }),
    ...(lacks('arbiter') && { arbiter: defaultArbiter }),
  };
}

/** The proposers that failed, and those that were disabled since the round began, count: neither makes a decision easier. */
function enabledInRound(
  { machine, currentState }: SessionContext,
  registered: readonly MachineSpecialist[],
  roundBegan: string | undefined,
): readonly MachineSpecialist[] {
  const inRound = registered.map((one) => ({
    ...one,
    enabled: one.enabled || isDisabledSince(one, roundBegan),
  }));
  return specialistsOfState(machine, currentState, inRound).filter(isAsked);
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
