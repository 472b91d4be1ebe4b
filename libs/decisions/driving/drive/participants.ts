import { RecentMap } from '#lib/kernel';
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
import { alignmentScope } from '#lib/decisions/session';
import { specialistStreamId, specialistStreams } from '#lib/decisions/specialists';
import { ownSpecialists } from '#lib/decisions/registration/core';
import type { SessionContext } from '../round-context.js';
import { participantsIn, type RoundParticipants } from './participants.rules.js';

export type { RoundParticipants } from './participants.rules.js';

/** Further facts of a round. */
interface RosterContext {
  /**
   * The position of the event that began the round: a specialist registered with an operation takes part in its version of that
   * time, and a proposer disabled later counts in the quorum.
   */
  readonly roundBegan?: string | undefined;
  /** Built-in specialists fill a role without a registered specialist. */
  readonly withDefaults?: boolean | undefined;
  /** A decision follows: late rows are refused, for they may lack a specialist. */
  readonly decides?: boolean | undefined;
}

const ROWS = ['specialists', 'alignment'];
/** The most remembered answers, and the most characters of each: an answer has all specialists of a machine. */
const MOST_KNOWN = 128;
const MOST_CHARACTERS = 262_144;

type AskedSession = SessionContext & Pick<RosterContext, 'roundBegan'>;

/** The specialists of a machine that may take part in a session, and the tallies of their comparisons. */
interface Found {
  readonly shared: readonly MachineSpecialist[];
  readonly tallies: readonly AlignmentTallyRecord[];
}

/** Reads the participants of a round, and their alignment. */
export class Participants {
  /** Answers since the last change of rows, by question: a round asks again at each move. */
  readonly #known = new RecentMap<Found>(MOST_KNOWN);
  #changedAt: string | undefined;

  constructor(
    private readonly reads: ReadSide,
    private readonly store: ReadStore,
  ) {}

  /**
   * Includes the writes of this process, and the log at its start. If no decision follows, late rows are used after a second.
   * @param moment of the rows; default: now
   * @throws ProjectionBehind if a decision follows
   */
  async of(
    session: SessionContext,
    { roundBegan, withDefaults, decides }: RosterContext = {},
    moment?: Moment | PastMoment,
  ): Promise<RoundParticipants> {
    await (decides ? this.reads.requireChanges(ROWS) : this.reads.reachedChanges(ROWS));
    await this.#checkWhole(session.machineName);
    const asked = { ...session, ...(roundBegan !== undefined && { roundBegan }) };
    const { shared, tallies } = await (moment ? this.#found(asked, moment) : this.#foundNow(asked));
    const own = ownSpecialists(session);
    const isOwn = ({ specialistId }: MachineSpecialist) =>
      own.some((one) => one.specialistId === specialistId);
    const registered = [...own, ...shared.filter((one) => !isOwn(one))];
    return participantsIn(session, registered, tallies, roundBegan, withDefaults);
  }

  /**
   * @throws StreamStandsStill if the rows of a specialist or a session of the machine stand still: participants or comparisons
   * may be missing. A session that stands still before its first event has no row, and no machine.
   */
  async #checkWhole(machineName: string): Promise<void> {
    await this.reads.checkWhole(ROWS, async (still) => {
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

  /** The earlier answer, until rows may have changed. */
  async #foundNow(asked: AskedSession): Promise<Found> {
    const changedAt = this.reads.changedAt(ROWS);
    if (changedAt === undefined) return this.#found(asked);
    if (this.#changedAt !== changedAt) this.#known.clear();
    this.#changedAt = changedAt;
    const { machineName, specialistVersions, roundBegan } = asked;
    const key = JSON.stringify([machineName, specialistVersions, alignmentScope(asked), roundBegan]);
    const known = this.#known.get(key);
    if (known) return known;
    const found = await this.#found(asked);
    const isSmall = JSON.stringify(found).length < MOST_CHARACTERS;
    if (isSmall && this.#changedAt === changedAt) this.#known.set(key, found);
    return found;
  }

  async #found(asked: AskedSession, moment?: Moment | PastMoment): Promise<Found> {
    const scope = alignmentScope(asked);
    const [shared, tallies] = await Promise.all([
      this.#specialists(asked, moment),
      scope ? alignmentTallies(this.store.db, scope, moment?.position) : [],
    ]);
    return { shared, tallies };
  }

  /** At a past moment: by the streams of the specialists then. Each specialist of that time is still known. */
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
