import { randomUUID } from 'node:crypto';
import { Client, type QueryConfig } from 'pg';
import { pause } from '../runner/pause.js';
import type { PostgresSettings } from './postgres-settings.js';

const CHANNEL = 'redial_rows';
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 10_000;

/**
 * Notifies a store of the writes of other processes, over a connection of its own, which is opened again after a break.
 * Notifications are lost while it is broken, so every reconnect wakes all waiters.
 */
export class RowChangeListener {
  readonly #sender = randomUUID();
  readonly #ending = new AbortController();
  #listening: Promise<void> | undefined;
  #hangUp: (() => void) | undefined;

  constructor(
    private readonly settings: PostgresSettings,
    private readonly announce: () => void,
  ) {}

  /** Part of a transaction: others are notified once its rows are visible, and not at all after a rollback. */
  get telling(): QueryConfig {
    return { name: 'tell', text: 'select pg_notify($1, $2)', values: [CHANNEL, this.#sender] };
  }

  start(): void {
    this.#listening ??= this.#listen();
  }

  async end(): Promise<void> {
    this.#ending.abort();
    this.#hangUp?.();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    for (let failures = 0; !signal.aborted; failures++) {
      if (await this.#listenOnce()) failures = 0;
      await pause(Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS), signal);
    }
  }

  /** Resolves once the connection is gone. False if it was never made. */
  async #listenOnce(): Promise<boolean> {
    const client = new Client(this.settings);
    const gone = new Promise<void>((resolve) => {
      client.on('end', resolve);
      client.on('error', () => resolve());
      this.#hangUp = resolve;
    });
    client.on('notification', ({ payload }) => {
      if (payload !== this.#sender) this.announce();
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.announce();
      await gone;
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
