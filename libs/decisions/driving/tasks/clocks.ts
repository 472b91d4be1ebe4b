import type { Escalated } from '#lib/candidates';
import type { EventLog, StreamHistory } from '#lib/event-store';
import { isRejection, type RecordedEvent, RedialError } from '#lib/kernel';
import {
  authorOf,
  childContext,
  type CommandContext,
  type CommandWriter,
  refuse,
} from '#lib/operations/core';
import { callMetadata } from '#lib/runs/runs/core';
import { type RoundTask, type Session, sessionDecider, type SessionEvent } from '#lib/decisions/session';
import {
  clockAfter,
  type ClockEvent,
  clockOfSession,
  dueTimesRequests,
  escalatedBy,
  type Moved,
  taskGone,
  type TimesShown,
} from '#lib/tasks/core';
import type { RunCommands, Time } from '#lib/workflow';

const TRIES = 200;
const PAUSE_MS = 50;

/** The clock of a wait has not begun: no process has taken it up. */
class ClockNotRunning extends RedialError {
  override readonly answer = { status: 503, code: 'clock-not-running' };
}

/** The clocks of waits for people in sessions: what they show, whom they have escalated to, and how they are moved. */
export class Clocks {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly commands: RunCommands,
    private readonly time: Time,
  ) {}

  /** When the last wait of a round is due and expires, and its escalations. */
  async shown(
    history: StreamHistory<SessionEvent>,
    { session: { waitClocks } }: RoundTask,
  ): Promise<TimesShown | undefined> {
    const clockId = waitClocks.at(-1);
    const started = history.events.findLast(
      ({ data }) => clockId !== undefined && 'clockId' in data && data.clockId === clockId,
    );
    if (!started) return undefined;
    return clockAfter(clockOfSession(history.upTo(started.revision)), await this.#events(waitClocks));
  }

  /** The candidates that escalations of the current wait have named. */
  async escalated({ waitClocks }: Session): Promise<{ readonly escalated?: Escalated }> {
    const escalated = escalatedBy((await this.#events(waitClocks)).flat());
    return escalated ? { escalated } : {};
  }

  /**
   * Sets other instants for the current wait. One without times gets a clock first.
   * @throws RejectionError if it has expired meanwhile @throws ClockNotRunning
   */
  async move(session: Session, roundId: string, moved: Moved, context: CommandContext): Promise<void> {
    const { sessionId } = session;
    const clockId = session.clocks.wait ?? (await this.#started(sessionId, roundId, context));
    const stream = this.log.streams.of(dueTimesRequests.workflow, clockId);
    const data = { ...moved, by: authorOf(context) };
    for (let tries = 0; tries < TRIES; tries++) {
      const answered = await this.commands.moveDue(stream, data, {
        metadata: callMetadata(context, clockId),
      });
      if (isRejection(answered)) refuse(taskGone('expired'));
      if (answered.position !== undefined) return context.written.note(answered.position);
      // The clock begins when its start is seen, and takes one move after another.
      await new Promise<void>((resolve) => this.time.after(PAUSE_MS, resolve));
    }
    const why = `its clock ${clockId} has not begun within ${(TRIES * PAUSE_MS) / 1000} s`;
    throw new ClockNotRunning(`the wait of session ${sessionId}`, why, 'Send it again');
  }

  async #started(sessionId: string, roundId: string, context: CommandContext): Promise<string> {
    const target = { category: 'session', id: sessionId } as const;
    const command = { type: 'StartClock', data: { sessionId, roundId } } as const;
    const { state } = await this.writer.send(sessionDecider, target, command, childContext(context, 'clock'));
    return state?.clocks.wait ?? refuse(taskGone('withdrawn'));
  }

  async #events(clocks: readonly string[]): Promise<readonly (readonly RecordedEvent<ClockEvent>[])[]> {
    const { streams } = this.log;
    const stream = (clockId: string) => streams.of(dueTimesRequests.workflow, clockId);
    return Promise.all(clocks.map((clockId) => this.log.readStream<ClockEvent>(stream(clockId))));
  }
}
