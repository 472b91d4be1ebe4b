import { openLogStream } from '#lib/client';
import { baseUrl, server, token } from './server.js';

/** Two heartbeats of the server: a connection that is silent for longer is gone. */
const LONGEST_SILENCE_MS = 8_500;

interface Follower {
  /** The stream is open. */
  readonly onOpen: () => void;
  /** There is an event at this position, and the rows show it. */
  readonly onEvent: (position: string) => void;
}

/**
 * Follows the log, without what is in its events, until the connection ends.
 * @param after the position of the last event that is known; `undefined`: from now on
 * @throws RedialProblem when the server refuses; TypeError and others when the connection ends
 */
export async function followLog(
  after: string | undefined,
  signal: AbortSignal,
  follower: Follower,
): Promise<void> {
  const lastEventId = after ?? (await head(signal));
  const silence = new AbortController();
  const watch = () => setTimeout(() => silence.abort(), LONGEST_SILENCE_MS);
  let timer = watch();
  try {
    const value = token.get();
    const server = { url: baseUrl, ...(value !== undefined && { token: value }) };
    const opened = AbortSignal.any([signal, silence.signal]);
    const stream = await openLogStream(server, lastEventId, opened);
    follower.onOpen();
    // Pages that were read before it may be older than this.
    if (after === undefined && lastEventId !== undefined) follower.onEvent(lastEventId);
    for await (const text of textsOf(stream)) {
      clearTimeout(timer);
      timer = watch();
      // An event begins with its id. JSON text has no line of its own that begins so.
      for (const [, position = ''] of text.matchAll(/^id: (.+)$/gm)) follower.onEvent(position);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Whole lines, as they come. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const end = rest.lastIndexOf('\n') + 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
}

async function head(signal: AbortSignal): Promise<string | undefined> {
  const { items } = await server().listProjections({}, { signal });
  return items[0]?.headPosition ?? undefined;
}
