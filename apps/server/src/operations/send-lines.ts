import { once } from 'node:events';
import type { Response } from 'express';
import { currentReading } from '#lib/event-store';

/** The bytes that count for a reader that does not read: the content of lines is read in pages of about this size. */
const PAGE_BYTES = 256 * 1024;

/**
 * Sends lines as they come, each when the socket can take it. A failure before the first line is answered as a problem; a later one cuts the
 * connection, so that the reader does not take a part for the whole. No more lines are made once the connection is closed. A reader that
 * does not read loses its connection if others wait for the bytes that it holds.
 */
export async function sendLines(
  lines: AsyncIterable<string>,
  mediaType: string,
  response: Response,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) return;
  const begin = () => response.headersSent || response.type(`${mediaType}; charset=utf-8`);
  try {
    for await (const line of lines) {
      if (gone.signal.aborted) return;
      begin();
      if (!response.write(line)) await taken(line, response, gone.signal);
    }
    begin();
    response.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!response.headersSent) throw error;
    response.destroy();
  }
}

/** Waits until the socket can take more. */
async function taken(line: string, response: Response, signal: AbortSignal): Promise<void> {
  const reading = currentReading();
  reading?.holds(Math.max(line.length, PAGE_BYTES));
  reading?.sends(() => response.destroy());
  await once(response, 'drain', { signal });
  reading?.holds(0);
}
