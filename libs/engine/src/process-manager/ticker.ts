import type { EventLog } from '#lib/event-store';
import { derivedId, fold, type RecordedEvent } from '#lib/kernel';
import {
  currentRound,
  hearingMoves,
  type Move,
  nextMove,
  type Session,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
} from '#lib/session';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import type { Arbitrator } from '../arbitrations/arbitrator.js';
import type { Solicitor } from '../solicitations/solicitor.js';
import type { Proposers } from '../specialists/proposers.js';
import { type Call, subCall } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import type { Granted } from '../write-side/granted.js';
import { RejectionError } from '../write-side/rejection-error.js';
import { inParallel } from './in-parallel.js';
import type { RosterView } from './roster-view.js';
import type { Rosters } from './rosters.js';
import {
  decidedMeanwhile,
  needsHuman,
  solicitedResult,
  type TickResult,
  tickResultOf,
} from './tick-result.js';
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
    private readonly arbitrator: Arbitrator,
    private readonly tripLine: TripLine,
  ) {}

  /**
   * One step; `null` for a session at rest.
   * @throws RejectionError when there is no such session, or this process cannot ask whose turn it is
   */
  async tick(sessionId: string, call: Call): Promise<Granted<TickResult | null>> {
    const history = await this.history(sessionId);
    const before = sessionOf(sessionId, history);
    const step = { sessionId, roundId: currentRound(before).roundId, call };
    const repeated = call.keyed && (await this.repeated(step, history));
    if (repeated) return repeated;
    const last = await this.moves(step);
    if (last.move === 'rest') return { value: null, position: undefined, created: false };
    return this.report(step, last, before.history.length);
  }

  /**
   * Asks everybody who was not asked in the current round, some at the same time, and brings to its end what is under way:
   * so that an arbiter hears all of them. Nobody is asked twice, also when it is done again after a crash.
   * @throws RejectionError when there is no such session, or this process cannot ask somebody: the others are asked then
   */
  async hearEverybody(sessionId: string, call: Call): Promise<void> {
    const session = sessionOf(sessionId, await this.history(sessionId));
    const { roundId } = currentRound(session);
    const roster = await this.roster(session, call, true);
    await inParallel(hearingMoves(session, roster), HEARD_AT_ONCE, (move) => {
      const step = { sessionId, roundId, call: subCall(call, `hear-${move.specialistId}`) };
      return this.made(move, step, session, roster, 0);
    });
  }

  /** Moves until the step is complete. @returns the move that ended it */
  private async moves(step: Step): Promise<Move> {
    let asked = false;
    let move: Move = { move: 'rest' };
    for (let count = 0; count < MOST_MOVES; count++) {
      const session = sessionOf(step.sessionId, await this.history(step.sessionId));
      if (currentRound(session).roundId !== step.roundId) return move;
      const roster = await this.roster(session, step.call, count === 0);
      move = nextMove(session, roster);
      if (move.move === 'rest' || (asked && NEXT_STEP.includes(move.move))) return move;
      asked = (await this.made(move, step, session, roster, count)) || asked;
      if (move.move === 'ask-human') return move;
    }
    return move;
  }

  private async roster(session: Session, call: Call, isFirst: boolean): Promise<RosterView> {
    const roster = await this.rosters.of(session);
    if (!isFirst || !(await this.tripLine.check(session, roster, call))) return roster;
    return this.rosters.of(session);
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
      if (error instanceof RejectionError && error.rejection.rejected === 'conflict') return false;
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
        await this.solicit(session, roundId, move.specialistId, call);
        return true;
      case 'finish-solicitation':
        await this.solicitor.finish(sessionId, move.solicitationId);
        return true;
      case 'finish-arbitration':
        await this.arbitrator.finish(sessionId, move.arbitrationId);
        return false;
      case 'arbitrate': {
        const { arbiter, alignment } = roster;
        const who = { sessionId, roundId, isHuman: false, unlessJudged: true, alignment };
        await this.arbitrations.submit(
          { ...who, ...(arbiter && { arbiter }) },
          session,
          subCall(call, `arbitrate-${count}`),
        );
        return false;
      }
      case 'ask-human': {
        const { reason, detail } = move;
        const data = { sessionId, roundId, proposalsSeen: session.proposals.length, reason, detail };
        const target = { category: 'session', id: sessionId } as const;
        const command = { type: 'RequestHumanInput', data } as const;
        await this.writer.send(sessionDecider, target, command, subCall(call, 'ask-human'));
        return false;
      }
      case 'rest':
        return false;
    }
  }

  private async solicit(
    { sessionId, machineName }: Session,
    roundId: string,
    specialistId: string,
    call: Call,
  ): Promise<void> {
    const proposer = await this.proposers.find(specialistId, machineName, call);
    const execution = this.proposers.executionOf(proposer);
    const wish = { sessionId, roundId, specialistId, execution, given: {}, unlessAsked: true };
    await this.solicitor.solicit(wish, subCall(call, 'solicit'));
  }

  private async report(step: Step, last: Move, place: number): Promise<Granted<TickResult | null>> {
    const history = await this.history(step.sessionId);
    const written = this.written(step, history);
    if (written) return written;
    const session = sessionOf(step.sessionId, history);
    return { value: withoutTrace(session, last, place), position: undefined, created: false };
  }

  /** The result of a step that was taken before under the same key, brought to its end where it was cut off. */
  private async repeated(step: Step, history: History): Promise<Granted<TickResult | null> | undefined> {
    const trace = traceOf(step.call, history);
    const solicited = trace.find((event) => event.type === 'ProposalSolicited');
    if (!solicited) return this.written(step, history);
    await this.solicitor.finish(step.sessionId, solicited.data.solicitationId);
    return this.written(step, await this.history(step.sessionId));
  }

  private written({ call }: Step, history: History): Granted<TickResult> | undefined {
    const trace = traceOf(call, history);
    const value = tickResultOf(trace, history);
    return value && { value, position: trace.at(-1)?.position, created: false };
  }

  private history(sessionId: string): Promise<History> {
    return this.log.readStream<SessionEvent>(this.log.streams.of('session', sessionId));
  }
}

/** What a step wrote: its own commands, and the ends of what it asked for. */
function traceOf(call: Call, history: History): History {
  const own = ['solicit', 'ask-human', ...Array.from({ length: MOST_MOVES }, (_, n) => `arbitrate-${n}`)];
  const commands = own.map((name) => subCall(call, name).commandId);
  const ids = commands.flatMap((commandId) => [
    commandId,
    derivedId(derivedId(commandId, 'solicitation'), 'close'),
    derivedId(derivedId(commandId, 'arbitration'), 'close'),
  ]);
  return history.filter(({ metadata }) => ids.includes(metadata.commandId));
}

function withoutTrace(session: Session, last: Move, place: number): TickResult {
  const decided = decidedMeanwhile(session, place);
  if (decided) return decided;
  if (last.move === 'ask-human') return needsHuman(session, last.detail);
  const asked = 'specialistId' in last ? last.specialistId : undefined;
  return solicitedResult(session, asked);
}

function sessionOf(sessionId: string, history: History): Session {
  const session = fold(sessionDecider, history);
  if (session) return session;
  throw new RejectionError(sessionRejections.unknownSession(sessionId));
}
