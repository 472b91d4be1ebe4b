import { type EventLog, RevisionConflict } from '#lib/event-store';
import { type Clock, ENGINE_ACTOR, type IdSource, type RecordedEvent, RedialError } from '#lib/kernel';
import type { LogClaimed } from './log-claim.events.js';

/** The lease store of an engine. */
export interface LeaseStore {
  /** The same for all engines that share the lease store. No other store has it. */
  readonly id: string;
  /** In words, without secrets: a file on a machine, a database on a server. */
  readonly name: string;
}

/** Another lease store runs this log. Engines with different lease stores do not see each other's leases, and would both pay for the same calls. */
export class LogClaimedElsewhere extends RedialError {}

/**
 * Binds a log to one lease store: only engines that share it may run the log's workflows. If several claim at the same moment, the expected
 * revision of the append lets one win.
 */
export class LogClaim {
  readonly #stream: string;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {
    this.#stream = log.streams.of('log', 'claims');
  }

  /** Claims the log unless it is claimed. @throws LogClaimedElsewhere if another lease store has claimed it @throws StoreUnavailable */
  async hold(leaseStore: LeaseStore): Promise<void> {
    for (;;) {
      const last = await this.#last();
      if (last && last.data.leaseStoreId !== leaseStore.id) throw claimedElsewhere(last, leaseStore);
      if (last || (await this.#append(undefined, leaseStore, ENGINE_ACTOR))) return;
    }
  }

  /**
   * Claims the log, even if another lease store has it. Engines of that store must have stopped: a running one stops its work when it reads the
   * claim, and calls in flight may be made twice.
   * @param since the position of an event that the operator must have seen: a claim before it does not count
   * @returns the claim that counted before. If it is of this lease store, nothing was written
   * @throws StoreUnavailable
   */
  async take(leaseStore: LeaseStore, since?: string): Promise<LogClaimed['data'] | undefined> {
    for (;;) {
      const last = await this.#last();
      const counts = since === undefined || isTakenSince(last, since);
      if (last?.data.leaseStoreId === leaseStore.id && counts) return last.data;
      if (await this.#append(last, leaseStore, 'operator')) return last?.data;
    }
  }

  /** Whether an operator has claimed the log after this position. @throws StoreUnavailable */
  async isTakenSince(position: string): Promise<boolean> {
    return isTakenSince(await this.#last(), position);
  }

  async #last(): Promise<RecordedEvent<LogClaimed> | undefined> {
    const [last] = await this.log.readStream<LogClaimed>(this.#stream, { direction: 'backwards', limit: 1 });
    return last;
  }

  /** False if another claim came first. */
  async #append(
    last: RecordedEvent<LogClaimed> | undefined,
    { id, name }: LeaseStore,
    actor: typeof ENGINE_ACTOR | 'operator',
  ): Promise<boolean> {
    const commandId = this.ids.next();
    const event: LogClaimed = { type: 'LogClaimed', data: { leaseStoreId: id, leaseStore: name } };
    const metadata = {
      occurredAt: this.clock.now().toISOString(),
      correlationId: this.log.store.logId,
      causationId: commandId,
      commandId,
      actor,
    };
    try {
      const eventId = this.ids.next();
      await this.log.append(this.#stream, last?.revision ?? 'no-stream', [{ eventId, event, metadata }]);
      return true;
    } catch (error) {
      if (error instanceof RevisionConflict) return false;
      throw error;
    }
  }
}

function isTakenSince(last: RecordedEvent<LogClaimed> | undefined, position: string): boolean {
  return last !== undefined && last.metadata.actor !== ENGINE_ACTOR && last.position > position;
}

function claimedElsewhere({ data, occurredAt }: RecordedEvent<LogClaimed>, { name }: LeaseStore) {
  return new LogClaimedElsewhere(
    `this engine, with its leases in ${name}, cannot run the log`,
    `engines with their leases in ${data.leaseStore} run it since ${occurredAt}, and two lease stores do not see each other's leases`,
    'Set the same DATABASE_URL for all processes of this log; or, where the other lease store is given up or lost, stop the engines on it and run `redial log claim` with the settings of this engine',
  );
}
