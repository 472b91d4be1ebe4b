import { once } from 'node:events';
import type { Response } from 'express';
import { jsonText, type RecordedEvent } from '#lib/kernel';

/** Some proxies give up on connections that are silent for longer. */
const HEARTBEAT_MS = 15_000;

/**
 * Sends events as server-sent events, at the pace of who reads them. Ends the response when the signal aborts or the
 * events end.
 */
export async function sendEvents(
  response: Response,
  batches: AsyncIterable<readonly RecordedEvent[]>,
  signal: AbortSignal,
): Promise<void> {
  openStream(response);
  const heartbeat = setInterval(
    () => void (response.writableNeedDrain || response.write(':\n\n')),
    HEARTBEAT_MS,
  );
  try {
    for await (const events of batches) {
      for (const event of events) await send(response, event, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

function openStream(response: Response): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
}

async function send(response: Response, event: RecordedEvent, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const text = `id: ${event.position}\nevent: ${event.type}\ndata: ${jsonText(event)}\n\n`;
  if (!response.write(text)) await once(response, 'drain', { signal });
}
