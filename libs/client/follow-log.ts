import { answerOf, type ClientOptions, credentialsOf } from './call-over-http.js';

/** Two heartbeats of the server: a connection that is silent for longer is gone. */
const LONGEST_SILENCE_MS = 8_500;

export interface LogFollower {
  /** The position of the last event that is known; without it: from the first event on. */
  readonly after?: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** The stream is open. */
  readonly onOpen: () => void;
  /** There is an event at this position, and the rows show it. */
  readonly onEvent: (position: string) => void;
}

/**
 * Follows the log of a server, without what is in its events, until the connection ends.
 * @throws RedialProblem when the server refuses; TypeError and others when the connection ends
 */
export async function followLog(
  { url, fetch: send = fetch, ...server }: ClientOptions,
  { after, signal, onOpen, onEvent }: LogFollower,
): Promise<void> {
  const silence = new AbortController();
  const watch = () => setTimeout(() => silence.abort(), LONGEST_SILENCE_MS);
  let timer = watch();
  try {
    const query = new URLSearchParams({ content: 'off', ...(after !== undefined && { lastEventId: after }) });
    const response = await send(`${url.replace(/\/$/, '')}/v1/events/stream?${query.toString()}`, {
      headers: { accept: 'text/event-stream', ...credentialsOf(server) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!response.ok || !response.body || !isStream) return void (await answerOf(response));
    onOpen();
    for await (const text of textsOf(response.body)) {
      clearTimeout(timer);
      timer = watch();
      // An event begins with its id. JSON text has no line of its own that begins so.
      for (const [, position = ''] of text.matchAll(/^id: (.+)$/gm)) onEvent(position);
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
