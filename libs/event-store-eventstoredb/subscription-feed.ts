import { setImmediate } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '#lib/event-store';
import type { Connection } from './connection.js';
import { GRPC, type GrpcFailure } from './grpc-failure.js';
import type { ReadCall } from './node-connection.js';
import type { WirePosition } from './read-request.js';
import { storedEvent } from './recorded-event.js';
import { ServerSilent } from './server-errors.js';

/** The events since the last call. */
interface Taken {
  readonly events: readonly StoredEvent[];
  /** The server has said that all stored events were sent. */
  readonly caughtUp: boolean;
  /** The position to continue from if the call ends. */
  readonly reached: WirePosition | undefined;
  /** The reason of the end, once the call has ended and all events are taken. */
  readonly ended?: unknown;
}

/** Called with each message at once, even while the feed waits for the consumer. */
export interface FeedWatch {
  readonly onEvent: (event: StoredEvent, sequence: WirePosition) => void;
  /** All events up to here were received. */
  readonly onCheckpoint: (sequence: WirePosition) => void;
}

/** The most events, and characters, that may wait for a slow consumer before the server is held back. */
const MOST_EVENTS = 256;
const MOST_CHARACTERS = 4_000_000;

const ENDED: GrpcFailure = { code: GRPC.unavailable, details: 'The server ended the subscription.' };

/** One subscription call, from its start to its end. */
export class SubscriptionFeed {
  #events: StoredEvent[] = [];
  #characters = 0;
  #caughtUp = false;
  #reached: WirePosition | undefined;
  #ended: unknown;
  #news = false;
  #wake: (() => void) | undefined;
  #call: ReadCall | undefined;
  #cancelled = false;
  #silence: NodeJS.Timeout | undefined;

  /** @param silenceMs the longest silence of the server before it has caught up: it is never silent for longer while it looks for events */
  constructor(
    private readonly connection: Connection,
    private readonly logId: string,
    request: ReadReq,
    private readonly watch: FeedWatch,
    private readonly silenceMs: number,
  ) {
    connection
      .read(request, (call) => this.#attend(call))
      .then(
        () => this.#end(ENDED),
        (error: unknown) => this.#end(error),
      );
  }

  /** Waits for an item, or until the signal aborts. */
  async take(signal: AbortSignal): Promise<Taken> {
    if (!this.#news && !signal.aborted) {
      await this.#somethingNew(signal);
      // Events of one network chunk make one batch.
      await setImmediate();
    }
    const events = this.#events;
    const taken = { events, caughtUp: this.#caughtUp, reached: this.#reached };
    this.#events = [];
    this.#characters = 0;
    this.#news = this.#ended !== undefined;
    this.#call?.resume();
    return events.length === 0 && this.#ended !== undefined ? { ...taken, ended: this.#ended } : taken;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#call?.cancel();
  }

  #attend(call: ReadCall): Promise<void> {
    this.#call = call;
    if (this.#cancelled) call.cancel();
    return new Promise((resolve, reject) => {
      call.on('data', (response: ReadResp) => {
        try {
          this.#receive(response, call);
        } catch (error) {
          reject(error);
          call.cancel();
        }
      });
      call.on('end', resolve);
      call.on('error', reject);
    });
  }

  #receive(response: ReadResp, call: ReadCall): void {
    this.#silence?.refresh();
    const event = response.getEvent();
    const sequence = wirePositionOf(event?.getEvent() ?? response.getCheckpoint());
    if (event && sequence) {
      const stored = storedEvent(this.logId, event);
      this.#keep(stored, call);
      this.watch.onEvent(stored, sequence);
    } else if (sequence) this.watch.onCheckpoint(sequence);
    if (sequence) this.#reached = sequence;
    if (response.hasCaughtUp()) this.#caughtUp = true;
    if (event || response.hasCaughtUp()) this.#announce();
  }

  #keep(event: StoredEvent, call: ReadCall): void {
    this.#events.push(event);
    this.#characters += event.data.length + event.metadata.length;
    if (this.#events.length >= MOST_EVENTS || this.#characters >= MOST_CHARACTERS) call.pause();
  }

  #end(error: unknown): void {
    this.#ended ??= error;
    this.#announce();
  }

  #giveUp(): void {
    this.#end(new ServerSilent(this.silenceMs, true));
    this.connection.wasSilent(this.silenceMs);
    this.cancel();
  }

  #announce(): void {
    this.#news = true;
    this.#wake?.();
  }

  #somethingNew(signal: AbortSignal): Promise<void> {
    if (!this.#caughtUp) this.#silence = setTimeout(() => this.#giveUp(), this.silenceMs).unref();
    return new Promise((resolve) => {
      const wake = () => {
        this.#wake = undefined;
        clearTimeout(this.#silence);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener('abort', wake);
    });
  }
}

/** Servers before 24.10.5 give the largest possible number as the checkpoint of a log without events of this application. */
const NO_POSITION = String(2n ** 64n - 1n);

function wirePositionOf(
  from: { getCommitPosition(): string; getPreparePosition(): string } | undefined,
): WirePosition | undefined {
  const commit = from?.getCommitPosition() ?? NO_POSITION;
  return commit === NO_POSITION || from === undefined
    ? undefined
    : { commit, prepare: from.getPreparePosition() };
}
