import type { Position } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, type RecordedEvent } from '#lib/kernel';
import type { RunView } from '#lib/runs';
import { WaitsForPerson } from '#lib/workflow';
import { withCommandEngine } from '../engine/with-command-engine.js';
import type { Engine } from '../engine/with-engine.js';
import { InvalidInput, NeedsPerson, RunFailed } from '../error-classes.js';
import { readJsonFile } from '../input/read-json-file.js';
import { jsonLine, oneLine } from '../format/one-line.js';
import { command } from '../format/waiting-lines.js';
import type { Io } from '../io.js';
import { followEvents } from '../timeline/follow-events.js';
import { CodePrinter } from './code-printer.js';

/** A file with the body of a run, and tools to register before it. */
interface RunFile {
  readonly workflow: 'code';
  readonly input: JsonObject;
  readonly tools?: readonly JsonObject[];
}

interface Request {
  readonly dataDir?: string;
  readonly json?: true;
}

/**
 * Runs the code of a file.
 * @returns whether the file is a run of code
 * @throws InvalidInput @throws NeedsPerson @throws RunFailed
 */
export async function runCodeIn(file: string, request: Request, io: Io): Promise<boolean> {
  const run = runFileOf(file, await readJsonFile(file));
  if (run) await runCode(run, request, io);
  return run !== undefined;
}

const KNOWN = new Set(['workflow', 'input', 'tools']);

/** The run in a file; `undefined` where it is none, such as a machine. @throws InvalidInput */
function runFileOf(file: string, value: unknown): RunFile | undefined {
  if (!isJsonObject(value) || value['workflow'] === undefined) return undefined;
  const { workflow, input, tools = [] } = value;
  const unknown = Object.keys(value).find((name) => !KNOWN.has(name));
  const isRun = workflow === 'code' && isJsonObject(input) && Array.isArray(tools) && unknown === undefined;
  if (!isRun)
    throw new InvalidInput(
      file,
      'it is no run of the workflow code',
      'It has the members workflow ("code"), input, and tools to register',
    );
  return { workflow, input, tools: tools as readonly JsonObject[] };
}

/**
 * Starts a run of code and prints it as it goes, until it ends or waits for a person.
 * @throws NeedsPerson @throws RunFailed @throws CannotPerform where a call of the run needs what this process lacks
 */
async function runCode({ input, tools = [] }: RunFile, request: Request, io: Io): Promise<void> {
  await withCommandEngine(request.dataDir, io.err, async (engine) => {
    for (const tool of tools) await engine.redial.registerTool(tool as never);
    const after = await engine.log.store.head();
    const { runId } = await engine.redial.startRun({ workflow: 'code', input: streamedInput(input) });
    const run = await shown(engine, runId, after, request, io);
    if (request.json) io.out.write(`${JSON.stringify({ run })}\n`);
    conclude(run, request, io);
  });
}

/** So that the code is shown as the model writes it. */
function streamedInput(input: JsonObject): JsonObject {
  const parameters = input['modelParameters'];
  return { ...input, modelParameters: { stream: true, ...(isJsonObject(parameters) ? parameters : {}) } };
}

/** Prints the run until it has ended or waits for a person. @throws CannotPerform | RuntimeStopped | StoreUnavailable */
async function shown(
  { log, redial, runtime, deltas }: Engine,
  runId: string,
  after: Position | undefined,
  { json }: Request,
  { out }: Io,
): Promise<RunView> {
  const stream = log.streams.of('code', runId);
  const printer = new CodePrinter(out);
  const leave = json ? () => undefined : deltas.listen(stream, (delta) => printer.hear(delta));
  const followed = followEvents(log.store, after, async (stored) => {
    if (stored.stream !== stream) return;
    const event = (await log.decode(stored)) as RecordedEvent;
    if (json) out.write(`${JSON.stringify({ event })}\n`);
    else printer.print(event);
  });
  try {
    await runtime.ended({ workflow: 'code', runId });
  } catch (error) {
    if (!(error instanceof WaitsForPerson)) throw error;
  } finally {
    await followed.end();
    leave();
  }
  return redial.getRun({ runId });
}

function conclude(
  { runId, status, result, failure, awaiting }: RunView,
  { dataDir, json }: Request,
  { out }: Io,
) {
  if (status === 'completed') {
    const { exit, value } = result as { readonly exit: string; readonly value: Json };
    if (!json) out.write(`run ${runId}: exit ${exit} ${jsonLine(value, 2_000)}\n`);
    return;
  }
  const what = `run ${runId}`;
  if (status !== 'waiting')
    throw new RunFailed(
      what,
      `it is ${status}: ${oneLine(failure?.message ?? '', 300)}`,
      `Look at it with redial run iterations ${runId}`,
    );
  const answers = awaiting.map(({ signal, awaitId }) =>
    command(['run', 'signal', runId, signal, '--await', awaitId, '--payload', '<json>'], dataDir),
  );
  const prompts = awaiting.map(({ prompt }) => jsonLine(prompt ?? null, 200));
  throw new NeedsPerson(
    `${what} waits for a person`,
    prompts.join('; '),
    'Answer with one of these commands',
    answers,
  );
}
