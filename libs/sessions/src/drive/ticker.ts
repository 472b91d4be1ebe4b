import { keyReused, type StreamHistory } from '#lib/event-store';
import { type CommandContext, type Written, RejectionError } from '#lib/operations';
import { type SessionEvent, sessionRejections } from '#lib/session';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import { ProposerWaits, type Solicitor } from '../solicitations/solicitor.js';
import { MOST_MOVES, type SessionLoop, sessionOf } from './session-loop.js';
import { tickReport, traceOf, writtenResult } from './tick-report.js';
import type { TickResult } from './tick-result.js';

type History = StreamHistory<SessionEvent>;

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
  ): Promise<Written<TickResult | null>> {
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
   * The result of a step that was taken before under the same key, brought to its end where it was cut off.
   * @throws RejectionError when the key came before with another input
   */
  private async repeated(
    sessionId: string,
    context: CommandContext,
    history: History,
  ): Promise<Written<TickResult | null> | undefined> {
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
