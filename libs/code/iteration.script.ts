import { addSpent, askedModel, modelBody, readTurn, type SandboxProgram } from '#lib/call-rules';
import { derivedId, type JsonObject } from '#lib/kernel';
import { here, type Steps } from '#lib/workflow';
import { citationsIn, citationsProblem } from './citations.js';
import { isCritical } from './code-errors.rules.js';
import { type CodeState, current, failure, indexOf, type Stop } from './code.state.js';
import { namesOf } from './components.rules.js';
import { fittingMessages } from './context.rules.js';
import { LISTEN } from './exits.rules.js';
import { heeded } from './heeded.script.js';
import { thoughtIn } from './hook.script.js';
import { executionError, exitError, feedbackOf, type IterationStatus, statusOf } from './iteration.rules.js';
import { sandboxObjects } from './objects.rules.js';
import { Program } from './program.script.js';
import { codeIn } from './prompt.js';

/** The end of an iteration, with the line of its code at which the program ended. */
interface Ended {
  readonly status: IterationStatus;
  readonly line?: number;
}

/** One reply of the model, its program and its end. @returns the end of the run or the turn; `undefined` if the model continues */
export function* iterated(state: CodeState): Steps<Stop | undefined> {
  const { status, line } = yield* concluded(state);
  over(state, status, (yield* here()).now);
  const reason = yield* abortedBy(state, status);
  if (reason !== undefined) {
    over(state, { type: 'aborted', reason }, (yield* here()).now);
    return failure('aborted', reason);
  }
  if (status.type === 'exit_success') {
    const { name: exit, value } = status;
    return { exit, ...(state.input.citations ? citationsIn(value) : { value }) };
  }
  if ('code' in status && isCritical(status.code))
    return failure(status.code === 'budget' ? 'budget' : 'critical', status.message);
  const { code = '' } = state.iterations.at(-1) ?? {};
  state.messages.push({ role: 'user', content: feedbackOf(status, code, line) ?? '' });
  return undefined;
}

export function over(state: CodeState, status: IterationStatus, occurredAt: string): void {
  const since = state.repliedAt === '' ? occurredAt : state.repliedAt;
  current(state, { status, durationMs: Date.parse(occurredAt) - Date.parse(since) });
}

/** The reason of a hook to end the run, if it gives one. */
function* abortedBy(state: CodeState, status: IterationStatus): Steps<string | undefined> {
  const iteration = indexOf(state);
  const input = { iteration, status } as object as JsonObject;
  const answer = yield* heeded(state, 'onIterationEnd', `iteration-${iteration}-end`, input);
  const { abort } = answer && 'object' in answer ? answer.object : {};
  return typeof abort === 'string' ? abort : undefined;
}

function* concluded(state: CodeState): Steps<Ended> {
  const replied = yield* asked(state);
  if (typeof replied !== 'string') return { status: replied };
  const code = yield* reviewed(state, replied);
  return typeof code === 'string' ? yield* executed(state, code) : { status: code };
}

/** @returns the code of the reply, or the status of an iteration without code */
function* asked(state: CodeState): Steps<string | IterationStatus> {
  const { input, iterations, routes, seed } = state;
  const index = indexOf(state) + 1;
  iterations.push({ index, status: { type: 'pending' }, traces: [], durationMs: 0 });
  const messages = fittingMessages(state.messages, input.contextTokens, state.request);
  const { modelParameters } = input;
  const ask = { callId: `iteration-${index}`, routes, seed, modelParameters };
  const answer = yield* askedModel(ask, (route, parameters) => ({
    labels: { iteration: index },
    body: modelBody(route, { messages }, parameters),
  }));
  const { usage, costUSD } = answer.spent;
  const [route] = answer.routes;
  current(state, {
    ...(route && { model: route.modelId }),
    usage,
    ...(costUSD !== undefined && { costUSD }),
  });
  state.routes = answer.routes;
  state.spent = addSpent(state.spent, answer.spent);
  const { now, runId } = yield* here();
  state.repliedAt = now;
  if ('failed' in answer) {
    const { kind, message } = answer.failed;
    return { type: 'generation_error', code: kind === 'budget' ? 'budget' : 'model-failed', message };
  }
  const { reply, completion } = answer.value;
  const turn = readTurn(reply, completion);
  const code = codeIn(turn.content ?? '');
  state.messages.push(turn.message);
  state.request = { messages, counted: completion.usage?.promptTokens };
  current(state, { code, llmCallId: derivedId(runId, reply.stepId) });
  return code;
}

/** The code after the hook `onBeforeExecution`, which may replace it. */
function* reviewed(state: CodeState, code: string): Steps<string | IterationStatus> {
  const iteration = indexOf(state);
  const id = `iteration-${iteration}-before`;
  const answer = yield* heeded(state, 'onBeforeExecution', id, { iteration, code });
  if (!answer) return code;
  if ('refused' in answer) return executionError('hook-refused', answer.refused);
  const thought = thoughtIn(answer.object, state.version);
  if (thought) return { type: 'thinking_requested', ...thought };
  const { code: other = code } = answer.object;
  const text = typeof other === 'string' ? other : '';
  current(state, { code: text });
  return text;
}

function* executed(state: CodeState, code: string): Steps<Ended> {
  const program = new Program(state, programOf(state, code));
  const { end, broken } = yield* program.run();
  if (!end) return { status: executionError('sandbox-failed', broken) };
  const status = yield* checked(state, statusAfter(state, program, statusOf(end, state.exits)));
  return { status, ...('line' in end && end.line !== undefined && { line: end.line }) };
}

/** The status after the hook `onExit`, which may refuse an exit. */
function* checked(state: CodeState, status: IterationStatus): Steps<IterationStatus> {
  if (status.type !== 'exit_success') return status;
  const iteration = indexOf(state);
  const { name: exit, value } = status;
  const answer = yield* heeded(state, 'onExit', `iteration-${iteration}-exit`, { iteration, exit, value });
  return answer && 'refused' in answer ? exitError('hook-refused', exit, answer.refused, value) : status;
}

const LIMITS = { ticks: 1_000, memoryBytes: 67_108_864, stackBytes: 262_144, timeMs: 5_000 };

function programOf(state: CodeState, code: string): SandboxProgram {
  const { callables, seed, repliedAt, input, iterations, components, sources } = state;
  const { variablesIn } = iterations.findLast((one) => one.variablesIn !== undefined) ?? {};
  return {
    code,
    tools: callables.map(({ path }) => path),
    ...(state.programs++ === 0 && input.objects && { objects: sandboxObjects(input.objects) }),
    clock: repliedAt,
    seed: `${seed} ${indexOf(state)}`,
    limits: { ...LIMITS, ...input.limits },
    ...(input.chat === true && { components: namesOf(components) }),
    ...(input.citations !== undefined && { sources: sources.length }),
    ...(variablesIn !== undefined && { variablesFrom: variablesIn }),
  };
}

/** The status, unless a hook or a tool asked to think, the code listens in silence, or the value cites too much. */
function statusAfter(
  { chat, input, sources }: CodeState,
  { thought }: Program,
  status: IterationStatus,
): IterationStatus {
  if (thought) return { type: 'thinking_requested', ...thought };
  if (status.type !== 'exit_success') return status;
  const problem = input.citations ? citationsProblem(status.value, sources) : undefined;
  if (problem !== undefined) return exitError('invalid-value', status.name, `The value ${problem}`);
  if (status.name !== LISTEN.name || chat?.sent !== 0) return status;
  const message = 'The code listens, and has sent no message in this turn: yield one before.';
  return exitError('silent', LISTEN.name, message);
}
