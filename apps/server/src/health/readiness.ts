import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { thrownText } from '#lib/kernel';
import { EventLog } from '#lib/event-store';
import { ProjectionRunner, type ProjectionStatus } from '#lib/read-models';
import { Reactions } from '#lib/reactions/core';
import { LogHold } from '#lib/seals/core';
import { Stopping } from '../lifecycle.js';

const LONGEST_MS = 1000;

class NoAnswerInTime extends Error {}

/** A check whose caller waits at most a second. A running check is joined, so that a hanging part is not asked again and again. */
class TimedCheck<Finding> {
  private running: Promise<Finding> | undefined;

  constructor(private readonly check: () => Promise<Finding>) {}

  /** @throws NoAnswerInTime, or the error of the check */
  async run(): Promise<Finding> {
    this.running ??= this.check().finally(() => (this.running = undefined));
    const waiting = new AbortController();
    const tooLate = delay(LONGEST_MS, undefined, { signal: waiting.signal }).then(() => {
      throw new NoAnswerInTime(`it did not answer within ${LONGEST_MS} ms`);
    });
    try {
      return await Promise.race([this.running, tooLate]);
    } finally {
      waiting.abort();
    }
  }
}

/** A part of the server that is not ready or is impaired, with the reason. The reason holds no secrets; details are in the server's log. */
interface UnreadyPart {
  readonly part: string;
  readonly why: string;
}

/**
 * Ready: the log can be read and written, and every projection runs and has taken the events that were in the log at the start. Degraded:
 * rows of some streams stand still, or a reaction or a fold of the application is stopped.
 */
@Injectable()
export class Readiness implements OnApplicationBootstrap {
  private readonly logger = new Logger('Readiness');
  private readonly logWorks: TimedCheck<void>;
  private readonly statuses: TimedCheck<readonly ProjectionStatus[]>;
  private startHead = '';
  private warned: ReadonlySet<string> = new Set();

  constructor(
    private readonly log: EventLog,
    private readonly projections: ProjectionRunner,
    private readonly reactions: Reactions,
    private readonly stopping: Stopping,
    private readonly hold: LogHold,
  ) {
    this.logWorks = new TimedCheck(() => this.repeatLastAppend());
    this.statuses = new TimedCheck(() => projections.status());
  }

  async onApplicationBootstrap(): Promise<void> {
    this.startHead = (await this.log.store.head()) ?? '';
  }

  /** The parts that are impaired while the server is ready. Never throws. */
  async degraded(): Promise<readonly UnreadyPart[]> {
    const statuses = await this.statuses.run().catch(() => []);
    const isDegraded = statuses.some(({ status, error }) => error && status !== 'stopped');
    const stopped = statuses.filter(
      ({ name, status }) => status === 'stopped' && this.projections.isApart(name),
    );
    const reactions = [...this.reactions.failures.keys()];
    return [
      ...reactions.map((name) => ({ part: `reaction ${name}`, why: 'it stands still' })),
      ...(isDegraded ? [{ part: 'rows', why: 'some streams stand still' }] : []),
      ...stopped.map(({ name }) => ({ part: `fold ${name}`, why: 'it is stopped' })),
    ];
  }

  /** Empty when the server is ready. */
  async unready(): Promise<readonly UnreadyPart[]> {
    if (this.stopping.signal.aborted) return [{ part: 'server', why: 'it is stopping' }];
    if (this.hold.why === 'taken') return [{ part: 'engine', why: 'its log is run on another read store' }];
    try {
      await this.logWorks.run();
    } catch (error) {
      return [this.unavailable('log', error)];
    }
    try {
      const statuses = await this.statuses.run();
      this.warn(failuresOf(statuses));
      return statuses.flatMap((status) => this.unreadyProjection(status));
    } catch (error) {
      return [this.unavailable('read models', error)];
    }
  }

  /**
   * Checks whether the log can be read and written: a repeated append goes the whole way of an append, to the disk, and adds no event.
   * @throws StoreUnavailable
   */
  private async repeatLastAppend(): Promise<void> {
    const [last] = await this.log.store.readAll({ direction: 'backwards', limit: 1 });
    if (!last) return;
    const { stream, revision, eventId, type, data, metadata } = last;
    const expected = revision === 0 ? 'no-stream' : revision - 1;
    await this.log.store.append(stream, expected, [{ eventId, type, data, metadata }]);
  }

  private unreadyProjection({ name, status, position }: ProjectionStatus): readonly UnreadyPart[] {
    if (this.projections.isApart(name)) return [];
    const caughtUp = (position ?? '') >= this.startHead;
    const isReady = caughtUp && status !== 'stopped';
    return isReady ? [] : [{ part: `projection ${name}`, why: `it is ${status}` }];
  }

  private unavailable(part: string, error: unknown): UnreadyPart {
    this.warn([`${part}: ${thrownText(error)}`]);
    return { part, why: error instanceof NoAnswerInTime ? error.message : 'it cannot be used now' };
  }
  /** Logs what the check before did not find: probes come every few seconds. */
  private warn(found: readonly string[]): void {
    for (const one of found) if (!this.warned.has(one)) this.logger.warn(one);
    this.warned = new Set(found);
  }
}

/** Projections of one loop fail together. */
function failuresOf(statuses: readonly ProjectionStatus[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { name, error } of statuses)
    if (error) names.set(error.message, [...(names.get(error.message) ?? []), name]);
  return [...names].map(([message, failed]) => `projections ${failed.join(', ')}: ${message}`);
}
