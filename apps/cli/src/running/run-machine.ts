import type { Engine } from '../engine/with-engine.js';
import { withCommandEngine } from '../engine/with-command-engine.js';
import { actorTokenLines } from '../format/actor-token-lines.js';
import { type MetaOptions, readMeta } from '../input/read-meta.js';
import { type MachineFile, readMachineFile } from '../input/read-machine-file.js';
import { type Io, printLines } from '../io.js';
import { showDriving } from './show-driving.js';
import type { Redial } from '#lib/engine';
import type { SessionView } from '#lib/session';

export interface RunRequest extends MetaOptions {
  readonly file: string;
  readonly maxSteps: number;
  readonly dataDir?: string;
  readonly json?: true;
}

/** Starts a session of the machine in a file, takes it as far as it goes, and prints what happens as it happens. */
export async function runMachine(request: RunRequest, io: Io): Promise<void> {
  const machineFile = await readMachineFile(request.file);
  const metaJson = await readMeta(request);
  const { dataDir, json, maxSteps } = request;
  printLines(
    io.err,
    machineFile.warnings.map((warning) => `warning: ${warning}`),
  );
  await withCommandEngine(dataDir, io.err, async (engine) => {
    await define(engine, machineFile, io);
    const after = await engine.log.store.head();
    const { machineName } = machineFile.machine;
    const { sessionId } = await engine.redial.createSession({ machineName, ...(metaJson && { metaJson }) });
    const shown = { sessionId, after, ...(dataDir !== undefined && { dataDir }), ...(json && { json }) };
    const run = () => driveSession(engine.redial, sessionId, maxSteps);
    await showDriving(engine, { ...shown, run, limit: { steps: maxSteps, option: '--max-steps' } }, io);
  });
}

async function define({ redial }: Engine, { machine }: MachineFile, { err }: Io): Promise<void> {
  const { actorTokens } = await redial.defineMachine(machine);
  printLines(err, actorTokenLines(actorTokens));
}

/** Takes a new session on until it is at rest, needs a person, or has made `maxSteps` transitions. */
async function driveSession(redial: Redial, sessionId: string, maxSteps: number): Promise<SessionView> {
  for (;;) {
    const session = await redial.runSession({ sessionId, maxTicks: 1 });
    if (session.status !== 'open' || session.history.length >= maxSteps) return session;
  }
}
