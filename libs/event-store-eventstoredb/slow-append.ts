import { setTimeout as delay } from 'node:timers/promises';
import { type EventToStore, Patience } from '#lib/event-store';
import type { AppendAnswer } from './append-answer.js';
import type { EventReader } from './event-reader.js';
import { streamRequest } from './read-request.js';

/** The time before the first look. Each further one waits twice as long. */
const LOOK_AFTER_MS = 200;

/** Looks whether an append without an answer is stored. `undefined`: it is not stored, not yet, or this is unknown. */
type Look = (signal: AbortSignal) => Promise<AppendAnswer | undefined>;

/**
 * The answer to an append, or the result of a look at its stream, whichever comes first. A server drops an append while another process makes the
 * same one, and answers seconds later that its time is over; the stream shows the events of the other one at once.
 */
export function answerOrLook(answer: Promise<AppendAnswer>, look: Look): Promise<AppendAnswer> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const found = new Promise<AppendAnswer>((resolve) => {
    timer = setTimeout(() => void untilFound(look, over.signal, resolve), LOOK_AFTER_MS);
  });
  return Promise.race([answer, found]).finally(() => {
    clearTimeout(timer);
    over.abort();
  });
}

async function untilFound(
  look: Look,
  signal: AbortSignal,
  found: (answer: AppendAnswer) => void,
): Promise<void> {
  for (let ms = LOOK_AFTER_MS * 2; !signal.aborted; ms *= 2) {
    const answer = await look(signal).catch(() => undefined);
    if (answer) return found(answer);
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Looks for these events right after a revision. Events that a stream shows are stored for good. */
export function lookFor(
  reader: EventReader,
  stream: string,
  after: number | undefined,
  events: readonly EventToStore[],
): Look {
  const from = after === undefined ? 0 : after + 1;
  return async (signal) => {
    const request = streamRequest(stream, { from, limit: events.length });
    const shown = await reader.read('', request, { patience: new Patience(0), signal });
    const last = shown.at(-1);
    const isStored = events.every(({ eventId }, index) => shown[index]?.eventId === eventId);
    if (!isStored || last === undefined) return undefined;
    return { kind: 'stored', revision: last.revision, sequence: BigInt(last.position.slice(1)) };
  };
}
