import { Patience, type StoredEvent } from '#lib/event-store';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { attemptMs, type AttemptSettings } from './attempt-settings.js';
import type { Connection } from './connection.js';
import { mayPass } from './grpc-failure.js';
import { type AttemptOptions, attemptRead } from './read-attempt.js';
import { unavailable } from './unavailable.js';

export interface ReadOptions extends Pick<AttemptOptions, 'enough' | 'signal'> {
  readonly patience?: Patience;
  /** The longest silence within an attempt, if it differs from the settings. */
  readonly silenceMs?: number;
  /** Called before a read is repeated. An error that it throws ends the read. */
  readonly onFailure?: (error: unknown) => Promise<void>;
}

/** Reads that end. */
export class EventReader {
  constructor(
    private readonly connection: Connection,
    readonly settings: AttemptSettings,
  ) {}

  get server(): string {
    return this.connection.server;
  }

  /** All events that the request asks for, or as many as are enough; none if there is no such stream. @throws StoreUnavailable */
  async read(logId: string, request: ReadReq, options: ReadOptions = {}): Promise<StoredEvent[]> {
    const { patience = new Patience(this.settings.patienceMs), enough, signal } = options;
    const settings = { ...this.settings, attemptMs: options.silenceMs ?? this.settings.attemptMs };
    // Where any silence is normal, it shows nothing about the node.
    const onSilence =
      options.silenceMs === undefined ? (ms: number) => this.connection.wasSilent(ms) : undefined;
    for (;;) {
      try {
        const silenceMs = attemptMs(settings, patience);
        return await attemptRead(this.connection, request, { logId, silenceMs, enough, signal, onSilence });
      } catch (error) {
        if (!mayPass(error) || patience.isOver || signal?.aborted) {
          throw unavailable('cannot read from', this.server, error);
        }
        await options.onFailure?.(error);
      }
      await patience.pause(signal);
    }
  }
}
