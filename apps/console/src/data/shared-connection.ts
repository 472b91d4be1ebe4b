import { followLog, RedialProblem } from '#lib/client';
import { baseUrl, options, server } from './server.js';

/** The pause before a lost connection is opened again: a server that is back is found within it. */
const PAUSE_MS = 1_000;

/** The longest pause that a server can ask for. */
const LONGEST_PAUSE_MS = 60_000;

/** The longest time for reading the position of the end of the log. */
const HEAD_MS = 8_500;

/** A message from the tab that follows the log to all tabs, itself included. */
interface Message {
  /** The position of the last event that it knows. */
  readonly position?: string | undefined;
  readonly isLost: boolean;
}

/**
 * Follows the log in one tab for all tabs of the browser, which opens few connections to a server: the first tab follows, and another one
 * once the first is closed. Without locks (plain HTTP to another host) each tab follows for itself. Only positions are shared: each tab
 * reads with its own token.
 * @param onRefused the server refuses the token: the log is no longer followed
 */
export async function shareConnection(
  signal: AbortSignal,
  onMessage: (message: Message) => void,
  onRefused: () => void,
): Promise<void> {
  const name = `redial ${baseUrl}`;
  const others = new BroadcastChannel(name);
  signal.addEventListener('abort', () => others.close());
  let last: Message = { isLost: false };
  const take = (message: Message) => onMessage((last = { ...last, ...message }));
  others.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data));
  const tell = (message: Message) => {
    if (signal.aborted) return;
    take(message);
    others.postMessage(last);
  };
  const follow = () => followOnAndOn(signal, () => last.position, tell, onRefused);
  const { locks } = navigator as { readonly locks?: LockManager };
  await (locks ? locks.request(name, { signal }, follow).catch(ignoreAbort) : follow());
}

async function followOnAndOn(
  signal: AbortSignal,
  positionOf: () => string | undefined,
  tell: (message: Message) => void,
  onRefused: () => void,
): Promise<void> {
  const position = { known: positionOf() };
  while (!signal.aborted) {
    let wait = PAUSE_MS;
    try {
      const onEvent = (at: string) => tell({ position: (position.known = at), isLost: false });
      const after = position.known ?? (await head(signal));
      // Data that was read before the stream opened may be older than its first position.
      const onOpen = () => (after === undefined ? tell({ isLost: false }) : onEvent(after));
      await followLog(options(), { after, signal, onOpen, onEvent });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RedialProblem && error.status === 401) return onRefused();
      if (error instanceof RedialProblem) wait = Math.min(error.retryAfterMs ?? wait, LONGEST_PAUSE_MS);
      // Another log is served at this address, with other events.
      if (error instanceof RedialProblem && error.status === 400) position.known = undefined;
    }
    tell({ isLost: true });
    await pause(signal, wait);
  }
}

async function head(signal: AbortSignal): Promise<string | undefined> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(HEAD_MS)]);
  const { items } = await server().listProjections({}, { signal: inTime });
  return items[0]?.headPosition ?? undefined;
}

/** Ends sooner when the browser is connected again. */
function pause(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    globalThis.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
}
