import { type EventLog, keyReused } from '#lib/event-store';
import { derivedId, fold, type RecordedEvent, type Rejection } from '#lib/kernel';
import { type Call, type CommandWriter, type Granted, RejectionError, subCall } from '#lib/operations';
import {
  currentRound,
  DEFAULT_SPECIALIST,
  defaultChoice,
  type HumanInputReason,
  hearingMoves,
  type Move,
  nextMove,
  type Session,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
} from '#lib/session';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import { roundBegan } from '../sessions/round-place.js';
import type { Solicitor } from '../solicitations/solicitor.js';
import type { Proposers } from '../specialists/proposers.js';
import { inParallel } from './in-parallel.js';
import type { RosterView } from './roster-view.js';
import type { Rosters } from './rosters.js';
import { type Moved, tickReport, writtenResult } from './tick-report.js';
import type { TickResult } from './tick-result.js';
import { traceOf } from './tick-trace.js';
import type { TripLine } from './trip-line.js';

type History = readonly RecordedEvent<SessionEvent>[];

/** Enough for one step, whoever else moves the session at the same time. */
const MOST_MOVES = 20;

/** Proposers of one session that are asked at the same time. */
const HEARD_AT_ONCE = 8;

/** Moves that a step ends before, once it has asked somebody: they belong to the next one. */
const NEXT_STEP: readonly Move['move'][] = ['solicit', 'finish-solicitation', 'ask-human'];

interface Step {
  readonly sessionId: string;
  readonly roundId: string;
  readonly call: Call;
  /** Whether built-in specialists stand in for a role that nobody is registered for. */
  readonly withDefaults?: boolean;
}

/**
 * Brings sessions on, one step at a time: the proposals are put before the arbiter, or one proposer is asked and then they are,
 * or a person is needed. Steps that run at the same time, here or elsewhere, share what they find under way.
 */
export class Ticker {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly rosters: Rosters,
    private readonly proposers: Proposers,
    private readonly solicitor: Solicitor,
    private readonly arbitrations: Arbitrations,
    private readonly tripLine: TripLine,
  ) {}

  /**
   * One step; `null` for a session at rest.
   * @param withDefaults whether built-in specialists stand in for a role that nobody is registered for
   * @throws RejectionError when there is no such session, or this process cannot ask whose turn it is
   */
  async tick(sessionId: string, call: Call, withDefaults = false): Promise<Granted<TickResult | null>> {
    const history = await this.history(sessionId);
    const before = sessionOf(sessionId, history);
    const step = { sessionId, roundId: currentRound(before).roundId, call, withDefaults };
    const repeated = call.keyed && (await this.repeated(step, history));
    if (repeated) return repeated;
    if (call.leaveToPeople && before.awaitsHuman)
      throw new RejectionError(sessionRejections.waitsForPerson(sessionId));
    const moved = await this.moves(step, history);
    if (moved.last.move === 'rest') return { value: null, position: undefined, created: false };
    return tickReport(call, moved, before.history.length);
  }

  /**
   * Asks everybody who was not asked in the current round, some at the same time, and brings to its end what is under way:
   * so that an arbiter hears all of them. Nobody is asked twice, also when it is done again after a crash.
   * @throws RejectionError when there is no such session, or this process cannot ask somebody: the others are asked then
   */
  async hearEverybody(sessionId: string, call: Call): Promise<void> {
    const history = await this.history(sessionId);
    const session = sessionOf(sessionId, history);
    const { roundId } = currentRound(session);
    const roster = await this.roster(session, history, { sessionId, roundId, call }, true);
    await inParallel(hearingMoves(session, roster), HEARD_AT_ONCE, (move) => {
      const step = { sessionId, roundId, call: subCall(call, `hear-${move.specialistId}`) };
      return this.made(move, step, session, roster, 0);
    });
  }

  /** Calls a person to a session that nobody here can bring on. */
  async callHuman(sessionId: string, reason: HumanInputReason, detail: string, call: Call): Promise<void> {
    const session = sessionOf(sessionId, await this.history(sessionId));
    await this.requestHuman(session, { reason, detail }, call);
  }

  /** Moves until the step is complete. */
  private async moves(step: Step, history: History): Promise<Moved> {
    let asked = false;
    const refused = new Map<string, RejectionError>();
    let moved: Moved = { last: { move: 'rest' }, count: 0, history };
    while (moved.count < MOST_MOVES && moved.last.move !== 'ask-human') {
      const session = sessionOf(step.sessionId, moved.history);
      if (currentRound(session).roundId !== step.roundId) return moved;
      const roster = await this.roster(session, moved.history, step, moved.count === 0);
      const move = nextMove(session, roster, [...refused.keys()]);
      if (move.move === 'rest') return { ...moved, last: move };
      if (asked && NEXT_STEP.includes(move.move)) return moved;
      const [refusal] = refused.values();
      if (move.move === 'ask-human' && move.reason === 'cannot-ask' && refusal) throw refusal;
      asked =
        (await this.passing(refused, move, () => this.made(move, step, session, roster, moved.count))) ||
        asked;
      const after = await this.history(step.sessionId, moved.history);
      moved = { last: move, count: moved.count + 1, history: after };
    }
    return moved;
  }

  private async roster(
    session: Session,
    history: History,
    { call, withDefaults }: Step,
    isFirst: boolean,
  ): Promise<RosterView> {
    const context = { roundBegan: roundBegan(history), withDefaults };
    const roster = await this.rosters.of(session, context);
    if (!isFirst || !(await this.tripLine.check(session, roster, call))) return roster;
    return this.rosters.of(session, context);
  }

  /** Passes over a proposer that this process cannot ask (no key, no such function): the others are asked first. */
  private async passing(
    refused: Map<string, RejectionError>,
    move: Move,
    make: () => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await make();
    } catch (error) {
      if (move.move !== 'solicit' || !isConfiguration(error)) throw error;
      refused.set(move.specialistId, error);
      return false;
    }
  }

  /** @returns whether somebody was asked for a proposal. What came too late is left to the next look at the session. */
  private async made(
    move: Move,
    step: Step,
    session: Session,
    roster: RosterView,
    count: number,
  ): Promise<boolean> {
    try {
      return await this.make(move, step, session, roster, count);
    } catch (error) {
      if (error instanceof RejectionError && isOvertaken(error.rejection)) return false;
      throw error;
    }
  }

  private async make(
    move: Move,
    { sessionId, roundId, call }: Step,
    session: Session,
    roster: RosterView,
    count: number,
  ): Promise<boolean> {
    switch (move.move) {
      case 'solicit':
        await this.solicit(session, roster, move.specialistId, call);
        return true;
      case 'finish-solicitation':
        call.written.note((await this.solicitor.finish(sessionId, move.solicitationId)).position);
        return true;
      case 'finish-arbitration':
        call.written.note((await this.arbitrations.finish(sessionId, move.arbitrationId)).position);
        return false;
      case 'arbitrate': {
        const { arbiter, alignment, quorum } = roster;
        const who = { sessionId, roundId, isHuman: false, unlessJudged: true, alignment, quorum };
        await this.arbitrations.submit(
          { ...who, ...(arbiter && { arbiter }) },
          session,
          subCall(call, `arbitrate-${count}`),
        );
        return false;
      }
      case 'ask-human':
        await this.requestHuman(session, move, call);
        return false;
      case 'rest':
        return false;
    }
  }

  private async solicit(
    session: Session,
    { roundBegan: began }: RosterView,
    specialistId: string,
    call: Call,
  ): Promise<void> {
    const { sessionId } = session;
    const { roundId } = currentRound(session);
    if (specialistId === DEFAULT_SPECIALIST) return this.proposeDefault(session, roundId, call);
    const round = { session, ...(began !== undefined && { roundBegan: began }) };
    const proposer = await this.proposers.find(specialistId, round, call);
    const execution = this.proposers.executionOf(proposer);
    const { version: specialistVersion } = proposer;
    const asked = { specialistId, specialistVersion, execution };
    const wish = { sessionId, roundId, ...asked, given: {}, unlessAsked: true };
    await this.solicitor.solicit(wish, subCall(call, 'solicit'));
  }

  /** The built-in proposer is not asked: its choice follows from the machine. */
  private async proposeDefault(session: Session, roundId: string, call: Call): Promise<void> {
    const step = subCall(call, 'solicit');
    const { sessionId } = session;
    const who = { specialistId: DEFAULT_SPECIALIST, specialistVersion: 1, isHuman: false };
    const proposalId = derivedId(step.commandId, 'proposal');
    const data = { sessionId, roundId, proposalId, ...who, ...defaultChoice(session) };
    const command = { type: 'SubmitProposal', data } as const;
    await this.writer.send(sessionDecider, { category: 'session', id: sessionId }, command, step);
  }

  private async requestHuman(
    session: Session,
    { reason, detail }: { readonly reason: HumanInputReason; readonly detail: string },
    call: Call,
  ): Promise<void> {
    const { sessionId, proposals } = session;
    const { roundId } = currentRound(session);
    const data = { sessionId, roundId, proposalsSeen: proposals.length, reason, detail };
    const target = { category: 'session', id: sessionId } as const;
    const command = { type: 'RequestHumanInput', data } as const;
    await this.writer.send(sessionDecider, target, command, subCall(call, 'ask-human'));
  }

  /**
   * The result of a step that was taken before under the same key, brought to its end where it was cut off.
   * @throws RejectionError when the key came before with another input
   */
  private async repeated(step: Step, history: History): Promise<Granted<TickResult | null> | undefined> {
    const { sessionId, call } = step;
    const trace = traceOf(call, history, MOST_MOVES);
    const [first] = trace;
    if (!first) return undefined;
    if (first.metadata.commandFingerprint !== call.fingerprint) throw new RejectionError(keyReused());
    for (const event of trace) {
      if (event.type === 'ProposalSolicited')
        await this.solicitor.finish(sessionId, event.data.solicitationId);
      if (event.type === 'ArbitrationRequested')
        await this.arbitrations.finish(sessionId, event.data.arbitrationId);
    }
    return writtenResult(call, await this.history(sessionId, history), MOST_MOVES);
  }

  private history(sessionId: string, known: History = []): Promise<History> {
    return this.log.readOn(this.log.streams.of('session', sessionId), known);
  }
}

/** Somebody was faster: in the session, or in disabling who was to be asked. */
function isOvertaken({ rejected, code }: Rejection): boolean {
  return rejected === 'conflict' || code === 'specialist-disabled';
}

/** Refused for what this process lacks, before anything was written. */
function isConfiguration(error: unknown): error is RejectionError {
  return error instanceof RejectionError && error.rejection.code === 'configuration';
}

function sessionOf(sessionId: string, history: History): Session {
  const session = fold(sessionDecider, history);
  if (session) return session;
  throw new RejectionError(sessionRejections.unknownSession(sessionId));
}
