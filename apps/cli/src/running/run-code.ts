import { isJsonObject, type Json, jsonLine, type JsonObject, oneLine } from '#lib/kernel';
import type { RunView } from '#lib/runs/runs';
import { WaitsForPerson } from '#lib/workflow';
import { type Engine, withCommandEngine } from '../engine/with-engine.js';
import { InvalidInput, NeedsPerson, RunFailed } from '../error-classes.js';
import { command } from '../format/waiting.js';
import { actingAs } from '../input/named-server.js';
import type { GlobalOptions, TokenOption } from '../input/options.js';
import { type Io, printJson, printLines } from '../io.js';
import { followEvents } from '../timeline/follow-events.js';
import { CodePrinter } from './code-printer.js';
import { jsonPrinter, whileShown } from './while-shown.js';

/** A file with the body of a run, and tools to register before it. */
interface RunFile {
  readonly workflow: 'code';
  readonly input: JsonObject;
  readonly tools?: readonly JsonObject[];
}

const KNOWN = new Set(['workflow', 'input', 'tools']);

/** The run in a file; `undefined` for any other content, such as a machine. @throws InvalidInput */
export function runFileOf(file: string, value: unknown): RunFile | undefined {
  if (!isJsonObject(value) || value['workflow'] === undefined) return undefined;
  const { workflow, input, tools = [] } = value;
  const isRun =
    workflow === 'code' &&
    isJsonObject(input) &&
    Array.isArray(tools) &&
    Object.keys(value).every((name) => KNOWN.has(name));
  if (isRun) return { workflow, input, tools: tools as readonly JsonObject[] };
  if (workflow !== 'code') {
    const why = `it names the workflow ${jsonLine(workflow)}, and a file runs "code" only`;
    throw new InvalidInput(file, why, 'Start it with redial runs start');
  }
  const fix = 'Give it the members workflow, input (an object), and at most tools (a list)';
  throw new InvalidInput(file, 'it is not a run of code', fix);
}

/**
 * Starts a run of code and prints it as it goes, until it ends or waits for a person. With `--json` these are lines: `{ event }` for
 * each event, at the end `{ run }`.
 * @throws NeedsPerson @throws RunFailed @throws CannotPerform if this process lacks a part that a call of the run needs
 */
export async function runCode(
  { input, tools = [] }: RunFile,
  options: GlobalOptions & TokenOption,
  io: Io,
): Promise<void> {
  await withCommandEngine(options.dataDir, io.err, async (engine) => {
    const { redial } = engine;
    for (const tool of tools) await redial.registerTool(tool as never);
    await showRun(engine, input, options, io);
  });
}

async function showRun(
  engine: Engine,
  input: JsonObject,
  options: GlobalOptions & TokenOption,
  io: Io,
): Promise<void> {
  const { redial, log, runtime, deltas, awaited } = engine;
  const after = await log.store.head();
  const { runId } = await redial.startRun(
    { workflow: 'code', input: streamedInput(input) },
    actingAs(options),
  );
  const stream = log.streams.of('code', runId);
  awaited.add(stream);
  const printer = options.json ? jsonPrinter(io) : new CodePrinter(io.out);
  const followed = followEvents(log.store, after, async (stored) => {
    if (stored.stream === stream) printer.print(await log.decode(stored));
  });
  await whileShown(deltas, stream, printer, followed, () => endOrWait(runtime, runId));
  const run = await redial.getRun({ runId });
  if (options.json) printJson(io, { run });
  conclude(run, options, io);
}

/** The model streams, so that the code is shown as it is written. */
function streamedInput(input: JsonObject): JsonObject {
  const parameters = input['modelParameters'];
  return { ...input, modelParameters: { stream: true, ...(isJsonObject(parameters) ? parameters : {}) } };
}

async function endOrWait(runtime: Engine['runtime'], runId: string): Promise<void> {
  try {
    await runtime.ended({ workflow: 'code', runId });
  } catch (error) {
    if (!(error instanceof WaitsForPerson)) throw error;
  }
}

interface ExitResult {
  readonly exit: string;
  readonly value: Json;
  readonly citations?: readonly { readonly path: string; readonly tag: string; readonly source?: Json }[];
}

/** The exit with its value, then a line for each source that the value cites. */
function exitLines(runId: string, { exit, value, citations = [] }: ExitResult): readonly string[] {
  const cited = citations.map(({ path, tag, source = null }) => {
    return `  ${path || '/'} ${tag} ${jsonLine(source, 300)}`;
  });
  return [`run ${runId}: exit ${exit} ${jsonLine(value, 2_000)}`, ...cited];
}

function conclude(run: RunView, { dataDir, json }: GlobalOptions, { out }: Io): void {
  const { runId, status, result, failure, awaiting } = run;
  if (status === 'completed') {
    if (!json) printLines(out, exitLines(runId, result as object as ExitResult));
    return;
  }
  if (status !== 'waiting') {
    const why = failure ? oneLine(failure.message, 300) : `its status is ${status}`;
    throw new RunFailed(`run ${runId} has no result`, why, `Look at it with redial runs iterations ${runId}`);
  }
  const answers = awaiting.map(({ signal, awaitId }) =>
    command(['runs', 'signal', runId, signal, '--await', awaitId, '--payload', '<json>'], dataDir),
  );
  const prompts = awaiting.map(({ prompt }) => jsonLine(prompt ?? null, 200)).join('; ');
  throw new NeedsPerson(
    `run ${runId} waits for a person`,
    prompts,
    'Answer with one of these commands',
    answers,
  );
}
