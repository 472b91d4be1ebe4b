import { keyReused, type StreamHistory } from '#lib/event-store';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import { childContext, type CommandContext, RejectionError, type Written } from '#lib/operations';
import { type Move, type Session, sessionDecider, type SessionEvent, sessionRejections } from '#lib/session';
import { deliveryId } from '#lib/workflow';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import { ProposerWaits, type Solicitor } from '../solicitations/solicitor.js';
import type { Tick } from '../sessions.views.js';
import { MOST_MOVES, type Moved, type SessionLoop, sessionOf } from './session-loop.js';
import { decidedMeanwhile, needsHuman, solicitedResult, tickResultOf } from './tick-result.js';

type History = readonly RecordedEvent<SessionEvent>[];

/** Takes one step of a session, and reports its result. */
export class Ticker {
  constructor(
    private readonly loop: SessionLoop,
    private readonly solicitor: Solicitor,
    private readonly arbitrations: Arbitrations,
  ) {}

  /**
   * One step; `null` for a session at rest.
   * @param withDefaults whether built-in specialists fill a role without a registered specialist
   * @throws RejectionError when there is no such session, or this process cannot ask whose turn it is
   */
  async tick(
    sessionId: string,
    context: CommandContext,
    withDefaults = false,
  ): Promise<Written<Tick | null>> {
    const history = await this.loop.history(sessionId);
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
   * The result of a step that was taken before under the same key, completed if it was cut off.
   * @throws RejectionError when the key came before with another input
   */
  private async repeated(
    sessionId: string,
    context: CommandContext,
    history: StreamHistory<SessionEvent>,
  ): Promise<Written<Tick | null> | undefined> {
    const trace = traceOf(context, history.events, MOST_MOVES);
    const [first] = trace;
    if (!first) return undefined;
    if (first.metadata.commandFingerprint !== context.fingerprint) throw new RejectionError(keyReused());
    for (const event of trace) {
      if (event.type === 'ProposalSolicited')
        await this.solicitor.finish(sessionId, event.data.solicitationId).catch(unlessWaiting);
      if (event.type === 'ArbitrationRequested')
        await this.arbitrations.finish(sessionId, event.data.arbitrationId);
    }
    const { events } = await this.loop.history(sessionId);
    return writtenResult(context, events, MOST_MOVES);
  }
}

/** A step that asked a proposer which waits for a person is over: a repeat of it says that it asked. */
function unlessWaiting(error: unknown): void {
  if (!(error instanceof ProposerWaits)) throw error;
}

/**
 * The result of a step, from the events it wrote, or else from those it found.
 * @param index how many transitions the session had before it
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

/** The result of a step from its events; `undefined` when they do not give one. */
function writtenResult(context: CommandContext, history: History, moves: number): Written<Tick> | undefined {
  const trace = traceOf(context, history, moves);
  const value = tickResultOf(trace, history);
  return value && { value, position: trace.at(-1)?.position, created: false };
}

/** The events that a step of at most `moves` moves wrote: of its own commands, and the ends of the runs it asked for. */
function traceOf(context: CommandContext, history: History, moves: number): History {
  const own = (name: string) => childContext(context, name).commandId;
  const known = history.flatMap(({ data }) => ('specialistId' in data ? [data.specialistId] : []));
  const solicits = [...new Set(known)].map((specialistId) => own(`solicit-${specialistId}`));
  const arbitrations = Array.from({ length: moves }, (_, count) => own(`arbitrate-${count}`));
  const ids = new Set([
    ...solicits.flatMap((commandId) => [commandId, deliveryId(derivedId(commandId, 'solicitation'))]),
    own('ask-human'),
    ...arbitrations.flatMap((commandId) => [commandId, deliveryId(derivedId(commandId, 'arbitration'))]),
  ]);
  return history.filter(({ metadata }) => metadata.commandId !== undefined && ids.has(metadata.commandId));
}

function withoutTrace(session: Session, last: Move, index: number, waitsFor?: string): Tick {
  const decided = decidedMeanwhile(session, index);
  if (decided) return decided;
  if (waitsFor !== undefined) return needsHuman(session, waitsFor);
  if (last.move === 'ask-human') return needsHuman(session, last.detail);
  const asked = 'specialistId' in last ? last.specialistId : undefined;
  return solicitedResult(session, asked);
}
