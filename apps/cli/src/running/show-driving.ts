import type { Position } from '#lib/event-store';
import type { SessionView } from '#lib/session';
import type { Engine } from '../engine/with-engine.js';
import { StepLimit } from '../error-classes.js';
import { oneLine } from '../format/one-line.js';
import { paintFor } from '../format/paint.js';
import { sessionLines } from '../format/session-lines.js';
import { type Io, printLines } from '../io.js';
import { followSession } from '../timeline/follow-session.js';
import { TimelinePrinter } from '../timeline/timeline-printer.js';
import { needsPerson } from '../waiting/needs-person.js';

/** The session that is driven, and the form in which it is shown. */
interface Drive {
  readonly sessionId: string;
  /** The position in the log at which the output begins. */
  readonly after: Position | undefined;
  readonly dataDir?: string;
  /** JSON lines: `{ event }` for each event, at the end `{ session }`. */
  readonly json?: true;
  /** Drives the session, and returns it afterwards. */
  run(this: void): Promise<SessionView>;
  /** How many steps that may take, and the option that says so. */
  readonly limit: { readonly steps: number; readonly option: string };
}

/**
 * Drives a session and prints events as they are appended, then the state.
 * @throws NeedsPerson where it waits for one; StepLimit where it could continue
 */
export async function showDriving(engine: Engine, drive: Drive, io: Io): Promise<void> {
  const { sessionId, after, json } = drive;
  const printer = json ? jsonPrinter(io) : new TimelinePrinter(io.out);
  const followed = followSession(engine.log, sessionId, after, (event) => printer.print(event));
  const leave = engine.deltas.listen(sessionId, (delta) => printer.hear(delta));
  try {
    const session = await drive.run();
    if (session.status === 'needs_human')
      throw await needsPerson(engine.redial.getInbox, sessionId, drive.dataDir);
    if (session.status === 'open') throw stepLimit(session, drive.limit);
  } finally {
    await followed.end();
    leave();
    printer.end();
    await printEnd(engine, drive, io);
  }
}

function jsonPrinter({ out }: Io): Pick<TimelinePrinter, 'print' | 'hear' | 'end'> {
  const print: TimelinePrinter['print'] = (event) => void out.write(`${JSON.stringify({ event })}\n`);
  return { print, hear: () => undefined, end: () => undefined };
}

async function printEnd({ redial, log }: Engine, { sessionId, json }: Drive, { out }: Io): Promise<void> {
  const head = await log.store.head();
  const session = await redial.getSession({
    sessionId,
    ...(head !== undefined && { minPosition: head }),
  });
  if (json) return void out.write(`${JSON.stringify({ session })}\n`);
  printLines(out, ['', ...sessionLines(session, paintFor(out))]);
}

function stepLimit({ sessionId, currentState }: SessionView, { steps, option }: Drive['limit']): StepLimit {
  return new StepLimit(
    `session ${sessionId} is in ${oneLine(currentState)}`,
    `it is not at rest after ${steps} steps`,
    `Look whether its machine goes round in a circle, or raise ${option}`,
  );
}
