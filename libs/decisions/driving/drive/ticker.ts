import { isSameInput } from '#lib/kernel';
import { keyReused, type StreamHistory } from '#lib/event-store';
import { type CommandContext, RejectionError, type Written } from '#lib/operations/core';
import {
  type Move,
  type Session,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
} from '#lib/decisions/session';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import { ProposerWaits, type Solicitor } from '../solicitations/solicitor.js';
import type { Tick } from '../sessions.views.js';
import { MOST_MOVES, type Moved, type SessionLoop, sessionOf } from './session-loop.js';
import { decidedMeanwhile, needsHuman, solicitedResult, traceOf, writtenResult } from './tick-result.js';

/** Takes one step of a session, and reports its result. */
export class Ticker {
  constructor(
    private readonly loop: SessionLoop,
    private readonly solicitor: Solicitor,
    private readonly arbitrations: Arbitrations,
  ) {}

  /**
   * One step; `null` for a session at rest.
   * @param withDefaults built-in specialists fill a role without a registered specialist
   * @throws RejectionError if there is no such session, or this process cannot ask the next specialist
   */
  async tick(
    sessionId: string,
    context: CommandContext,
    withDefaults = false,
  ): Promise<Written<Tick | null>> {
    const history = await this.loop.history(sessionId, context.ahead);
    context.about.note(history.events[0]?.metadata.keyId);
    const before = sessionOf(sessionId, history);
    const repeated = context.keyed && (await this.repeated(sessionId, context, history));
    if (repeated) return repeated;
    if (context.leaveToPeople && before.awaitsHuman)
      throw new RejectionError(sessionRejections.waitsForPerson(sessionId));
    const moved = await this.loop.run({ sessionId, context, pace: 'step', withDefaults }, history);
    if (moved.last.move === 'rest') return { value: null, position: undefined, created: false };
    return tickReport(context, moved, before.history.length);
  }

  /**
   * The result of an earlier step under the same key, completed if it was cut off.
   * @throws RejectionError if the key was used with another input
   */
  private async repeated(
    sessionId: string,
    context: CommandContext,
    history: StreamHistory<SessionEvent>,
  ): Promise<Written<Tick | null> | undefined> {
    const trace = traceOf(context, history.events, MOST_MOVES);
    const [first] = trace;
    if (!first) return undefined;
    if (!isSameInput(context.fingerprint, first.metadata.commandFingerprint))
      throw new RejectionError(keyReused());
    for (const event of trace) {
      if (event.type === 'ProposalSolicited')
        await this.solicitor.finish(sessionId, event.data.solicitationId).catch(unlessWaiting);
      if (event.type === 'ArbitrationRequested')
        await this.arbitrations.finish(sessionId, event.data.arbitrationId).catch(unlessWaiting);
    }
    const { events } = await this.loop.history(sessionId);
    return writtenResult(context, events, MOST_MOVES);
  }
}

/** A step is over if its proposer or arbiter waits for a person: its repeat has the result of the request. */
function unlessWaiting(error: unknown): void {
  if (!(error instanceof ProposerWaits)) throw error;
}

/**
 * The result of a step from its own events, or else from the session.
 * @param index the number of the session's transitions before it
 */
function tickReport(
  context: CommandContext,
  { last, count, history, waitsFor }: Moved,
  index: number,
): Written<Tick> {
  const done = writtenResult(context, history.events, count);
  if (done) return done;
  const session = history.state(sessionDecider);
  if (!session) throw new TypeError('A session that does not exist took a step.');
  return { value: withoutTrace(session, last, index, waitsFor), position: undefined, created: false };
}

function withoutTrace(session: Session, last: Move, index: number, waitsFor?: string): Tick {
  const decided = decidedMeanwhile(session, index);
  if (decided) return decided;
  if (waitsFor !== undefined) return needsHuman(session, waitsFor);
  if (last.move === 'ask-human') return needsHuman(session, last.detail);
  const asked = 'specialistId' in last ? last.specialistId : undefined;
  return solicitedResult(session, asked);
}
