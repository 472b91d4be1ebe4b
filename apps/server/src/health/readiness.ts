import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { ProjectionRunner, type ProjectionStatus } from '#lib/projections';
import { Stopping } from '../lifecycle/stopping.js';
import { LogCheck } from './log-check.js';

/** A part of the server that is not ready, and why. */
export interface UnreadyPart {
  readonly part: string;
  readonly why: string;
}

/** Ready: the log can be read and written, and every projection runs and has taken what was in the log at the start. */
@Injectable()
export class Readiness implements OnApplicationBootstrap {
  private startHead = '';

  constructor(
    private readonly log: EventLog,
    private readonly logCheck: LogCheck,
    private readonly projections: ProjectionRunner,
    private readonly stopping: Stopping,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.startHead = (await this.log.store.head()) ?? '';
  }

  /** Empty when the server is ready. */
  async unready(): Promise<readonly UnreadyPart[]> {
    if (this.stopping.signal.aborted) return [{ part: 'server', why: 'it is stopping' }];
    const log = await this.logCheck.problem();
    if (log !== undefined) return [{ part: 'log', why: log }];
    const statuses = await this.projections.status();
    return statuses.flatMap((status) => this.unreadyProjection(status));
  }

  private unreadyProjection({ name, status, position, error }: ProjectionStatus): readonly UnreadyPart[] {
    const part = `projection ${name}`;
    if (status === 'stopped') return [{ part, why: error?.message ?? 'it is stopped' }];
    const caughtUp = (position ?? '') >= this.startHead;
    return caughtUp ? [] : [{ part, why: `it is ${status}` }];
  }
}
