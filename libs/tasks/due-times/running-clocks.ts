import type { Escalated } from '#lib/candidates';
import type { EventLog } from '#lib/event-store';
import { isRejection, type RecordedEvent, RedialError } from '#lib/kernel';
import { authorOf, type CommandContext, refuse } from '#lib/operations/core';
import { callMetadata } from '#lib/runs/runs/core';
import { DUE_TIMES, endOfRun, type RunCommands, type Time } from '#lib/workflow';
import { taskGone } from '../task.rejections.js';
import { type ClockEvent, escalatedBy } from './clock-events.js';
import type { Moved } from './clock.rules.js';

const TRIES = 200;
const PAUSE_MS = 50;

/** The clock of a wait has not begun: no process has taken it up. Or it has ended before its time. */
class ClockNotRunning extends RedialError {
  override readonly answer = { status: 503, code: 'clock-not-running' };
}

/** The runs of clocks: their events, and their moves. */
export class RunningClocks {
  constructor(
    private readonly log: EventLog,
    private readonly commands: RunCommands,
    private readonly time: Time,
  ) {}

  /** The events of each clock. */
  events(clocks: readonly string[]): Promise<readonly (readonly RecordedEvent<ClockEvent>[])[]> {
    return Promise.all(clocks.map((clockId) => this.log.readStream<ClockEvent>(this.#stream(clockId))));
  }

  /** The candidates that escalations of these clocks have named. */
  async escalated(clocks: readonly string[]): Promise<{ readonly escalated?: Escalated }> {
    const escalated = escalatedBy((await this.events(clocks)).flat());
    return escalated ? { escalated } : {};
  }

  /** Whether one of these clocks has taken the move of this call before. */
  async hasTaken(clocks: readonly string[], { commandId }: CommandContext): Promise<boolean> {
    return (await this.events(clocks)).flat().some(({ metadata }) => metadata.commandId === commandId);
  }

  /** @throws RejectionError if the wait has expired meanwhile @throws ClockNotRunning */
  async move(clockId: string, moved: Moved, context: CommandContext): Promise<void> {
    const data = { ...moved, by: authorOf(context) };
    const answer = { metadata: callMetadata(context, clockId, this.time) };
    for (let tries = 0; tries < TRIES; tries++) {
      const answered = await this.commands.moveDue(this.#stream(clockId), data, answer);
      if (isRejection(answered)) await this.#ended(clockId);
      else if (answered.position !== undefined) return context.written.note(answered.position);
      // The clock begins when its start is seen, and takes one move after another.
      await new Promise<void>((resolve) => this.time.after(PAUSE_MS, resolve));
    }
    const why = `it has not begun within ${(TRIES * PAUSE_MS) / 1000} s`;
    throw new ClockNotRunning(`the clock ${clockId} of a wait`, why, 'Send it again');
  }

  /**
   * Refuses the move of a clock that has ended. The owner of a failed clock goes on without it or starts another one, once it has taken in
   * the failure.
   */
  async #ended(clockId: string): Promise<never> {
    const end = endOfRun(await this.log.readStream(this.#stream(clockId)));
    if (end?.status === 'completed') refuse(taskGone('expired'));
    throw new ClockNotRunning(`the clock ${clockId} of a wait`, 'it has ended early', 'Send it again');
  }

  #stream(clockId: string): string {
    return this.log.streams.of(DUE_TIMES, clockId);
  }
}
