import type { RunDelta, RunDeltas } from '#lib/runs/runs/core';
import { type Io, printJson } from '../io.js';
import type { Followed } from '../timeline/follow-events.js';

/** Prints events while they come. */
interface Printer<Event> {
  print(event: Event): void;
  /** A part of a reply while it comes. */
  hear(delta: RunDelta): void;
  /** No more events come. */
  end(): void;
}

/** `{ event }` for each event, one a line. */
export function jsonPrinter(io: Io): Printer<object> {
  return { print: (event) => printJson(io, { event }), hear: () => undefined, end: () => undefined };
}

/** Does work whose events are followed and printed; its replies are printed while they come. */
export async function whileShown<T>(
  deltas: RunDeltas,
  topic: string,
  printer: Printer<never>,
  followed: Followed,
  work: () => Promise<T>,
): Promise<T> {
  const leave = deltas.listen(topic, (delta) => printer.hear(delta));
  try {
    return await work();
  } finally {
    await followed.end();
    leave();
    printer.end();
  }
}
