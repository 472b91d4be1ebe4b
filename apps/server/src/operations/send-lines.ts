import { once } from 'node:events';
import type { Response } from 'express';

/**
 * Sends lines as they come, each when the socket can take it. What fails before the first line is answered as a problem; later the
 * connection is cut, so that the reader does not take a part for the whole.
 */
export async function sendLines(
  lines: AsyncIterable<string>,
  mediaType: string,
  response: Response,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for await (const line of lines) {
      if (!response.headersSent) response.type(`${mediaType}; charset=utf-8`);
      if (response.write(line) || gone.signal.aborted) continue;
      await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!response.headersSent) throw error;
    response.destroy();
  }
}
