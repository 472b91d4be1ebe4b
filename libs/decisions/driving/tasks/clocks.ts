import type { Escalated } from '#lib/candidates';
import type { StreamHistory } from '#lib/event-store';
import { childContext, type CommandContext, type CommandWriter, refuse } from '#lib/operations/core';
import { type RoundTask, type Session, sessionDecider, type SessionEvent } from '#lib/decisions/session';
import {
  clockAfter,
  clockOfSession,
  escalationsIn,
  type Moved,
  type RunningClocks,
  taskGone,
  type TimesShown,
} from '#lib/tasks/core';

/** The clocks of waits for people in sessions: their times, their escalations, and their moves. */
export class Clocks {
  constructor(
    private readonly writer: CommandWriter,
    private readonly running: RunningClocks,
  ) {}

  /** The due time, the expiry and the escalations of a round's last wait. */
  async shown(
    history: StreamHistory<SessionEvent>,
    { session: { waitClocks } }: RoundTask,
  ): Promise<TimesShown | undefined> {
    const clockId = waitClocks.at(-1);
    const about = history.events.filter(({ data }) => 'clockId' in data && data.clockId === clockId);
    const started = about.findLast(({ type }) => type !== 'ClockEnded');
    if (clockId === undefined || !started) return undefined;
    const runs = await this.running.events(waitClocks);
    const hasFailed = about.some(({ type, data }) => type === 'ClockEnded' && data.failure !== undefined);
    return hasFailed ? escalationsIn(runs) : clockAfter(clockOfSession(history.upTo(started.revision)), runs);
  }

  /** The candidates that escalations of the current wait have added. */
  escalated({ waitClocks }: Session): Promise<{ readonly escalated?: Escalated }> {
    return this.running.escalated(waitClocks);
  }

  /**
   * Moves the times of the current wait. A wait without times gets a clock first.
   * @throws RejectionError if it has expired meanwhile @throws ClockNotRunning
   */
  async move(session: Session, roundId: string, moved: Moved, context: CommandContext): Promise<void> {
    const { waitClocks } = session;
    if (await this.running.hasTaken(waitClocks, context)) return;
    const clockId = session.clocks.wait ?? (await this.#started(session, roundId, context));
    return this.running.move(clockId, moved, context);
  }

  async #started(
    { sessionId, waitClocks }: Session,
    roundId: string,
    context: CommandContext,
  ): Promise<string> {
    const target = { category: 'session', id: sessionId } as const;
    const command = { type: 'StartClock', data: { sessionId, roundId } } as const;
    const { state } = await this.writer.send(
      sessionDecider,
      target,
      command,
      childContext(context, `clock ${waitClocks.length + 1}`),
    );
    return state?.clocks.wait ?? refuse(taskGone('withdrawn'));
  }
}
