import { type Engine, withEngine } from '../engine/with-engine.js';
import { paintFor } from '../format/paint.js';
import { sessionLines } from '../format/session-lines.js';
import { type MetaOptions, readMeta } from '../input/read-meta.js';
import { type MachineFile, readMachineFile } from '../input/read-machine-file.js';
import { type Io, printLines } from '../io.js';
import { followSession } from '../timeline/follow-session.js';
import { TimelinePrinter } from '../timeline/timeline-printer.js';
import { changedRegistrations } from './changed-registrations.js';
import { driveSession } from './drive-session.js';

export interface RunRequest extends MetaOptions {
  readonly file: string;
  readonly maxSteps: number;
  readonly dataDir?: string;
  /** JSON lines: `{ event }` for each event, at the end `{ session }`. */
  readonly json?: true;
}

/** Milliseconds a call in flight is given after Ctrl-C; then the log says that it was interrupted. */
const GRACE_MS = 1000;

/** Starts a session of the machine in a file, takes it to its rest, and prints what happens as it happens. */
export async function runMachine(request: RunRequest, io: Io): Promise<void> {
  const machineFile = await readMachineFile(request.file);
  const metaJson = await readMeta(request);
  const { dataDir } = request;
  printLines(
    io.err,
    machineFile.warnings.map((warning) => `warning: ${warning}`),
  );
  const options = { shutdownGraceMs: GRACE_MS, ...(dataDir !== undefined && { dataDir }) };
  await withEngine(options, io.err, async (engine) => {
    await define(engine, machineFile, io);
    const head = await engine.log.store.head();
    const { machineName } = machineFile.machine;
    const session = await engine.redial.createSession({ machineName, ...(metaJson && { metaJson }) });
    const { sessionId } = session;
    const printer = request.json ? jsonPrinter(io) : new TimelinePrinter(io.out);
    const followed = followSession(engine.log, sessionId, head, (event) => printer.print(event));
    try {
      await driveSession(engine.redial, session, request.maxSteps);
    } finally {
      await followed.end();
      printer.end();
      await printEnd(engine, sessionId, request, io);
    }
  });
}

async function define({ redial }: Engine, { machine }: MachineFile, { err }: Io): Promise<void> {
  await redial.defineMachine(machine);
  for (const specialistId of await changedRegistrations(redial, machine)) {
    err.write(
      `warning: specialist ${specialistId} was registered before with another body, which stays; declare it under another id to change it\n`,
    );
  }
}

function jsonPrinter({ out }: Io): Pick<TimelinePrinter, 'print' | 'end'> {
  return { print: (event) => void out.write(`${JSON.stringify({ event })}\n`), end: () => undefined };
}

async function printEnd(
  { redial, log }: Engine,
  sessionId: string,
  { json }: RunRequest,
  { out }: Io,
): Promise<void> {
  const head = await log.store.head();
  const session = await redial.getSession(sessionId, head === undefined ? {} : { minPosition: head });
  if (json) return void out.write(`${JSON.stringify({ session })}\n`);
  printLines(out, ['', ...sessionLines(session, paintFor(out))]);
}
