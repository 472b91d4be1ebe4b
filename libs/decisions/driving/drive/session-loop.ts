import type { EventLog, StreamHistory } from '#lib/event-store';
import { derivedId, inParallel, type Rejection } from '#lib/kernel';
import {
  type CommandContext,
  type CommandWriter,
  RejectionError,
  childContext,
  refuseErasedStream,
} from '#lib/operations/core';
import {
  currentRound,
  roundRoster,
  DEFAULT_SPECIALIST,
  defaultChoice,
  type HumanInputReason,
  type LoopProgress,
  loopMoves,
  type Move,
  type Pace,
  type Session,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
} from '#lib/decisions/session';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import { roundBegan, sessionStream } from '../round-context.js';
import { ProposerWaits, type Solicitor } from '../solicitations/solicitor.js';
import type { Proposers } from '../solicitations/proposers.js';
import type { Participants, RoundParticipants } from './participants.js';
import type { ReinstatementRule } from './reinstatement-rule.js';

type History = StreamHistory<SessionEvent>;

interface LoopRequest {
  readonly sessionId: string;
  readonly context: CommandContext;
  readonly pace: Pace;
  /** Built-in specialists fill a role without a registered specialist. */
  readonly withDefaults?: boolean;
}

/** The progress of a loop. */
export interface Moved {
  /** `rest` if no move was made: the session is at rest. */
  readonly last: Move;
  /** The number of moves. */
  readonly count: number;
  /** The session's stream after the moves. */
  readonly history: History;
  /** The await of a proposer that only a person's answer ends. */
  readonly waitsFor?: string;
}

/** A loop at one of its moves, with the present session. */
interface Turn extends LoopRequest {
  readonly session: Session;
  readonly roster: RoundParticipants;
  /** The number of moves before this one. */
  readonly count: number;
}

/** The proposers that a loop has skipped. */
interface Passed {
  readonly refused: Map<string, RejectionError>;
  readonly waits: string[];
}

/** The most moves of one loop: concurrent callers may move the session too. */
export const MOST_MOVES = 20;

/** Moves that are made at the same time. */
const AT_ONCE = 8;

/**
 * Moves sessions forward: reads the session, gets the next moves from `loopMoves`, executes them, and reads again. Concurrent
 * loops, here or elsewhere, share open requests: no specialist is asked twice, even after a crash.
 */
export class SessionLoop {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly participants: Participants,
    private readonly proposers: Proposers,
    private readonly solicitor: Solicitor,
    private readonly arbitrations: Arbitrations,
    private readonly reinstatement: ReinstatementRule,
  ) {}

  /**
   * Drives the current round, at the requested pace.
   * @param history the known part of the session's stream
   * @throws RejectionError if there is no such session, or this process cannot ask the next specialist: the others are asked
   * first
   */
  async run(request: LoopRequest, history: History): Promise<Moved> {
    const begun = sessionOf(request.sessionId, history);
    await refuseErasedStream(this.log, this.log.streams.of('session', request.sessionId), request.context);
    if (begun.isClosed) throw new RejectionError(sessionRejections.sessionClosed(request.sessionId));
    const { roundId } = currentRound(begun);
    const refused = new Map<string, RejectionError>();
    const waits: string[] = [];
    let progress: LoopProgress = { pace: request.pace, roundId, ...UNASKED };
    let moved: Moved = { last: { move: 'rest' }, count: 0, history };
    while (moved.count < MOST_MOVES) {
      const turn = await this.turn(request, moved);
      const moves = loopMoves(turn.session, turn.roster, progress);
      const [first] = moves;
      if (!first) return moved;
      throwRefusal(refused, request.pace, first);
      const asked = await inParallel(moves, AT_ONCE, (move) => this.passing({ refused, waits }, move, turn));
      progress = {
        ...progress,
        hasAsked: progress.hasAsked || asked.includes(true),
        hasCalledHuman: first.move === 'ask-human',
        cannotAsk: [...refused.keys()],
      };
      const after = await this.history(request.sessionId);
      moved = { last: first, count: moved.count + 1, history: after };
      const [waitsFor] = waits;
      if (waitsFor !== undefined) return { ...moved, waitsFor };
    }
    return moved;
  }

  /** Asks for a person in a session that no specialist can continue. */
  async callHuman(
    sessionId: string,
    reason: HumanInputReason,
    detail: string,
    context: CommandContext,
  ): Promise<void> {
    const session = sessionOf(sessionId, await this.history(sessionId));
    await this.requestHuman(session, { reason, detail }, context);
  }

  /** @param streams the log, or the streams that a call has read ahead */
  history(sessionId: string, streams: Pick<EventLog, 'load'> = this.log): Promise<History> {
    return streams.load<SessionEvent>(sessionStream({ sessionId }, this.log)[0]);
  }

  private async turn(request: LoopRequest, { history, count }: Moved): Promise<Turn> {
    const session = sessionOf(request.sessionId, history);
    const { withDefaults } = request;
    const context = { roundBegan: roundBegan(history.events), withDefaults, decides: true };
    const roster = await this.participants.of(session, context);
    const mayChange = count === 0 || session.invalid.length > 0;
    const isChanged = mayChange && (await this.reinstatement.check(session, roster, request.context));
    return {
      ...request,
      session,
      count,
      roster: isChanged ? await this.participants.of(session, context) : roster,
    };
  }

  /**
   * Makes a move, and skips a proposer that this process cannot ask (no key, no such function) or that waits for a person, and a
   * move that came too late: the next read of the session shows the change. @returns whether a proposer was asked
   */
  private async passing({ refused, waits }: Passed, move: Move, turn: Turn): Promise<boolean> {
    try {
      return await this.make(move, turn);
    } catch (error) {
      if (!(error instanceof RejectionError)) throw error;
      if (error instanceof ProposerWaits) {
        waits.push(error.message);
        return true;
      }
      const isRefused = move.move === 'solicit' && error.rejection.code === 'configuration';
      if (!isRefused && !isOvertaken(error.rejection)) throw error;
      if (isRefused) refused.set(move.specialistId, error);
      return false;
    }
  }

  private async make(move: Move, turn: Turn): Promise<boolean> {
    const { sessionId, context: call, session, roster, count } = turn;
    switch (move.move) {
      case 'solicit':
        await this.solicit(move.specialistId, turn);
        return true;
      case 'finish-solicitation':
        call.written.note((await this.solicitor.finish(sessionId, move.solicitationId)).position);
        return true;
      case 'finish-arbitration':
        call.written.note((await this.arbitrations.finish(sessionId, move.arbitrationId)).at(-1)?.position);
        return false;
      case 'arbitrate': {
        const { arbiter, alignment, quorum } = roundRoster(session, roster);
        const { roundId } = currentRound(session);
        const who = { sessionId, roundId, isHuman: false, unlessJudged: true, alignment, quorum };
        const request = { ...who, ...(arbiter && { arbiter }) };
        await this.arbitrations.submit(request, session, childContext(call, `arbitrate-${count}`));
        return false;
      }
      case 'ask-human':
        await this.requestHuman(session, move, call);
        return false;
      case 'rest':
        return false;
    }
  }

  private async solicit(specialistId: string, { session, roster, context: call }: Turn): Promise<void> {
    const { roundId } = currentRound(session);
    const step = childContext(call, `solicit-${specialistId}`);
    if (specialistId === DEFAULT_SPECIALIST) return this.proposeDefault(session, roundId, step);
    const { roundBegan: began } = roster;
    const round = { session, ...(began !== undefined && { roundBegan: began }) };
    const proposer = await this.proposers.find(specialistId, round);
    const execution = this.proposers.executionOf(proposer);
    const { version: specialistVersion } = proposer;
    const asked = { specialistId, specialistVersion, execution };
    await this.solicitor.solicit({ session, roundId, ...asked, given: {}, unlessAsked: true }, step);
  }

  /** The built-in proposer is not asked: its choice is derived from the machine. */
  private async proposeDefault(session: Session, roundId: string, step: CommandContext): Promise<void> {
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
    context: CommandContext,
  ): Promise<void> {
    const { sessionId, proposals } = session;
    const { roundId } = currentRound(session);
    const data = { sessionId, roundId, proposalsSeen: proposals.length, reason, detail };
    const target = { category: 'session', id: sessionId } as const;
    const command = { type: 'RequestHumanInput', data } as const;
    await this.writer.send(sessionDecider, target, command, childContext(context, 'ask-human'));
  }
}

const UNASKED = { hasAsked: false, hasCalledHuman: false, cannotAsk: [] };

/** @throws RejectionError if only proposers are left that this process cannot ask: a round is not decided without them */
function throwRefusal(refused: ReadonlyMap<string, RejectionError>, pace: Pace, next: Move): void {
  const [refusal] = refused.values();
  const isStuck = next.move === 'ask-human' && next.reason === 'cannot-ask';
  if (refusal && (isStuck || pace === 'round')) throw refusal;
}

/** Another caller was first, in the session or in disabling the specialist. */
function isOvertaken({ rejected, code }: Rejection): boolean {
  return rejected === 'conflict' || code === 'specialist-disabled';
}

/** @throws RejectionError if there is no such session */
export function sessionOf(sessionId: string, history: History): Session {
  const session = history.state(sessionDecider);
  if (session) return session;
  throw new RejectionError(sessionRejections.unknownSession(sessionId));
}
