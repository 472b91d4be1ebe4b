import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { currentReading } from '#lib/event-store';
import type { EventNotice } from '#lib/histories';
import { jsonText, type RecordedEvent } from '#lib/kernel';
import { withSummary } from '#lib/summaries';

/**
 * Some proxies close connections that are silent for longer than 15 s. A reader takes the connection for lost after two missing heartbeats.
 */
const HEARTBEAT_MS = 4_000;

/** While deltas come, the right to read is checked this often. */
const ADMITTED_MS = 1_000;

/** Deltas are for display: while a reader has more bytes than this left to read, they are left out. */
export const MOST_UNREAD_BYTES = 64 * 1024;

/** An event of the log, or its notice; or an event for display, which has no position and is not sent again. */
export type Sent = RecordedEvent | EventNotice | { readonly event: string; readonly data: object };

interface Hooks {
  /** Starts to send deltas, which are not recorded, between the events; returns a function that ends them. */
  readonly listen?: (listener: (delta: object) => void) => () => void;
  /**
   * Called before an event is sent, at each heartbeat, and once a second while deltas are sent: aborts the signal if the reader may no longer
   * read.
   */
  readonly admit?: () => Promise<unknown>;
}

/**
 * Sends events as server-sent events, at the pace of the reader: the next one is read when this one was taken. Ends the response when the
 * signal aborts or the events end. A reader that does not read loses its connection if others wait for the bytes that it holds; it comes
 * back with the id of the last event that it has.
 */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<Sent>,
  signal: AbortSignal,
  { listen, admit }: Hooks = {},
): Promise<void> {
  openStream(response);
  const admission = new Admission(admit);
  const leave = listen?.((delta) => {
    admission.renew();
    if (!signal.aborted && response.writableLength < MOST_UNREAD_BYTES)
      response.write(`event: delta\ndata: ${JSON.stringify(delta)}\n\n`);
  });
  const heartbeat = setInterval(() => {
    void admission.ask();
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const event of events) {
      await admission.ask();
      await send(response, event, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    leave?.();
    clearInterval(heartbeat);
    response.end();
  }
}

/** Checks whether the reader may still read. A model writes many deltas a second, and each check reads the log. */
class Admission {
  /** The request was admitted at this time. */
  #askedAt = performance.now();

  constructor(private readonly admit: Hooks['admit']) {}

  async ask(): Promise<void> {
    this.#askedAt = performance.now();
    await this.admit?.();
  }

  /** Deltas do not wait for the answer: the current ones are sent before it comes. */
  renew(): void {
    if (performance.now() - this.#askedAt >= ADMITTED_MS) void this.ask();
  }
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
}

async function send(response: ServerResponse, sent: Sent, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const reading = currentReading();
  if (!response.write(textOf(sent))) {
    reading?.sends(() => response.destroy());
    await once(response, 'drain', { signal });
  }
  reading?.holds(0);
}

function textOf(sent: Sent): string {
  if (!('position' in sent)) return `event: ${sent.event}\ndata: ${JSON.stringify(sent.data)}\n\n`;
  const data = 'eventId' in sent ? withSummary(sent) : sent;
  return `id: ${sent.position}\nevent: ${sent.type}\ndata: ${jsonText(data)}\n\n`;
}

/** Aborts when the response is closed. */
export function closed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}
