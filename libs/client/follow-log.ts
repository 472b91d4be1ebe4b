import { answerOf, type ClientOptions, credentialsOf } from './call-over-http.js';
import type { EventNotice, RecordedEventView } from './redial-client.generated.js';

/** Two heartbeats of the server: a connection that is silent for longer is lost. */
const LONGEST_SILENCE_MS = 8_500;

interface Follower {
  /** The position of the last known event; without it: from the first event on. */
  readonly after?: string | undefined;
  /** Aborts the connection. */
  readonly signal: AbortSignal;
}

export interface LogFollower extends Follower {
  /** The stream is open. */
  readonly onOpen: () => void;
  /** There is an event at this position, and the rows show it. */
  readonly onEvent: (position: string) => void;
}

export interface EventFollower extends Follower {
  /** Only of these recorded types. */
  readonly types?: readonly string[];
}

/**
 * Follows the positions of the log of a server, without the content of its events, until the connection ends.
 * @throws RedialProblem when the server refuses; TypeError and others when the connection ends
 */
export async function followLog(
  server: ClientOptions,
  { onOpen, onEvent, ...follower }: LogFollower,
): Promise<void> {
  for await (const line of linesOf(server, { content: 'off' }, follower, onOpen)) {
    // A line that begins with `id: ` begins an event: no line of JSON text does.
    if (line.startsWith('id: ')) onEvent(line.slice(4));
  }
}

/**
 * The events of the log of a server, the recorded ones and then the new ones, until the connection ends: to resume, call it again with the
 * position of the last event. For operators. An event that the server cannot read is a notice with its `problem`.
 * @throws RedialProblem when the server refuses; TypeError and others when the connection ends
 */
export async function* followEvents(
  server: ClientOptions,
  { types, ...follower }: EventFollower,
): AsyncGenerator<RecordedEventView | EventNotice, void> {
  for await (const line of linesOf(server, types ? { types: types.join(',') } : {}, follower)) {
    if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as RecordedEventView | EventNotice;
  }
}

/** The lines of the stream of the log, each whole. Ends the connection when its reader stops. */
async function* linesOf(
  { url, fetch: send = fetch, ...server }: ClientOptions,
  query: { readonly [name: string]: string },
  { after, signal }: Follower,
  onOpen: () => void = () => undefined,
): AsyncGenerator<string, void> {
  const ending = new AbortController();
  const watch = () => setTimeout(() => ending.abort(), LONGEST_SILENCE_MS);
  let timer = watch();
  try {
    const asked = new URLSearchParams({ ...query, ...(after !== undefined && { lastEventId: after }) });
    const response = await send(`${url.replace(/\/$/, '')}/v1/events/stream?${asked.toString()}`, {
      headers: { accept: 'text/event-stream', ...credentialsOf(server) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, ending.signal]),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!response.ok || !response.body || !isStream) return void (await answerOf(response));
    onOpen();
    for await (const lines of wholeLines(response.body)) {
      // The time that the reader takes for these lines is not silence of the server.
      clearTimeout(timer);
      yield* lines;
      timer = watch();
    }
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** The lines that end in each part of a body. Each byte is read once, however long a line is. */
async function* wholeLines(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let open: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [first = '', ...more] = decoder.decode(value, { stream: true }).split('\n');
    open.push(first);
    const last = more.pop();
    if (last === undefined) {
      yield [];
      continue;
    }
    yield [open.join(''), ...more];
    open = [last];
  }
}
