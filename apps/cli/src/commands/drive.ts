import { oneLine } from '#lib/kernel';
import type { Redial } from '#lib/engine';
import type { Position } from '#lib/event-store';
import type { SessionView } from '#lib/decisions/session';
import { type Engine, withCommandEngine, withEngineOnLog } from '../engine/with-engine.js';
import { StepLimit } from '../error-classes.js';
import { tokenLines } from '../format/definitions.js';
import { sessionLines } from '../format/sessions.js';
import { needsPerson, type Waits } from '../format/waiting.js';
import { sessionIdOf } from '../input/named-id.js';
import { actingAs, refuseServer } from '../input/named-server.js';
import type { GlobalOptions, MetaOptions, TokenOption } from '../input/options.js';
import { readMachineFile } from '../input/read-machine-file.js';
import { readJsonFile, readMeta } from '../input/read-json.js';
import { type Io, paintFor, printJson, printLines } from '../io.js';
import { runCode, runFileOf } from '../running/run-code.js';
import { jsonPrinter, whileShown } from '../running/while-shown.js';
import { followTimeline } from '../timeline/session-timeline.js';
import { TimelinePrinter } from '../timeline/timeline-printer.js';

interface DriveOptions extends GlobalOptions {
  readonly maxTicks: number;
}

interface RunOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly maxSteps: number;
}

/** Continues a session until it is at rest or needs a person, and prints its events as they are appended. */
export async function drive(options: DriveOptions, io: Io, session: string): Promise<void> {
  refuseServer('redial drive', options);
  const { maxTicks, dataDir } = options;
  const sessionId = await sessionIdOf(session, { dataDir });
  await withEngineOnLog(dataDir, io.err, async (engine) => {
    const after = await engine.log.store.head();
    await engine.redial.getSession({ sessionId });
    const run = () => engine.redial.runSession({ sessionId, maxTicks });
    const limit = { steps: maxTicks, option: '--max-ticks' };
    await showDriving(engine, { ...options, sessionId, after, run, limit }, io);
  });
}

/** Runs the content of a file: a machine, or code. */
export async function run(options: RunOptions, io: Io, file: string): Promise<void> {
  refuseServer('redial run', options);
  const code = runFileOf(file, await readJsonFile(file));
  await (code ? runCode(code, options, io) : runMachine(options, io, file));
}

/** Starts a session of the machine in a file, drives it until it is at rest or needs a person, and prints its events as they are appended. */
async function runMachine(options: RunOptions, io: Io, file: string): Promise<void> {
  const { machine, warnings } = await readMachineFile(file);
  const metaJson = await readMeta(options);
  const { dataDir, maxSteps } = options;
  for (const warning of warnings) printLines(io.err, [`warning: ${warning}`]);
  await withCommandEngine(dataDir, io.err, async (engine) => {
    const { redial, log } = engine;
    const { machineName, actorTokens } = await redial.defineMachine(machine);
    printLines(io.err, tokenLines(actorTokens));
    const after = await log.store.head();
    const asked = { machineName, ...(metaJson && { metaJson }) };
    const { sessionId } = await redial.createSession(asked, actingAs(options));
    const run = () => runToLimit(redial, sessionId, maxSteps);
    const limit = { steps: maxSteps, option: '--max-steps' };
    await showDriving(engine, { ...options, sessionId, after, run, limit }, io);
  });
}

/** Drives a new session until it is at rest, needs a person, or has made `maxSteps` transitions. */
async function runToLimit(redial: Redial, sessionId: string, maxSteps: number): Promise<SessionView> {
  for (;;) {
    const session = await redial.runSession({ sessionId, maxTicks: 1 });
    if (session.status !== 'open' || session.history.length >= maxSteps) return session;
  }
}

interface Drive extends GlobalOptions {
  readonly sessionId: string;
  /** The position in the log at which the output begins. */
  readonly after: Position | undefined;
  /** Drives the session, and returns it afterwards. */
  run(this: void): Promise<SessionView>;
  /** The limit of steps, and the option that sets it. */
  readonly limit: { readonly steps: number; readonly option: string };
}

/**
 * Drives a session and prints its events as they are appended, then its state. With `--json` the output is lines: `{ event }` for each
 * event, at the end `{ session }`.
 * @throws NeedsPerson if it waits for a person; StepLimit if it could continue
 */
async function showDriving(engine: Engine, drive: Drive, io: Io): Promise<void> {
  const { sessionId, after, json, dataDir } = drive;
  const printer = json ? jsonPrinter(io) : new TimelinePrinter(io.out);
  const followed = followTimeline(engine.log, sessionId, after, (event) => printer.print(event));
  try {
    const session = await whileShown(engine.deltas, sessionId, printer, followed, drive.run);
    if (session.status === 'needs_human') throw await needsPerson(await listsNow(engine), sessionId, dataDir);
    if (session.status === 'open') throw stepLimit(session, drive.limit);
  } finally {
    await printEnd(engine, drive, io);
  }
}

/** Lists from rows that have the last event that the engine has appended, also in runs. */
async function listsNow({ redial, log }: Engine): Promise<Waits> {
  const head = await log.store.head();
  const isNew = head === undefined ? {} : { minPosition: head };
  return {
    getInbox: (asked) => redial.getInbox({ ...asked, ...isNew }),
    listTasks: (asked) => redial.listTasks({ ...asked, ...isNew }),
  };
}

async function printEnd({ redial, log }: Engine, { sessionId, json }: Drive, io: Io): Promise<void> {
  const head = await log.store.head();
  const session = await redial.getSession({ sessionId, ...(head !== undefined && { minPosition: head }) });
  if (json) printJson(io, { session });
  else printLines(io.out, ['', ...sessionLines(session, paintFor(io.out))]);
}

function stepLimit({ sessionId, currentState }: SessionView, { steps, option }: Drive['limit']): StepLimit {
  return new StepLimit(
    `session ${sessionId} is in ${oneLine(currentState)}`,
    `it is not at rest after ${steps} steps`,
    `Look whether its machine goes round in a circle, or raise ${option}`,
  );
}
