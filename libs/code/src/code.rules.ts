import type { ActivityEvent } from '#lib/activity';
import type { SandboxProgram } from '#lib/calls';
import type { Event, JsonObject } from '#lib/kernel';
import {
  addSpent,
  beginModelCall,
  evolveModelCall,
  modelBody,
  type ModelCallState,
  modelCallSteps,
  NOTHING_SPENT,
  readTurn,
} from '#lib/models';
import type { ToolFact } from '#lib/tools/core';
import type { RuntimeEvent, Seen, Step, WorkflowStarted } from '#lib/workflow';
import { awaitStep, beginChat, heard, listening, withMessage } from './chat.rules.js';
import { callablesOf } from './callables.rules.js';
import { citationsIn } from './citations.js';
import { isCritical } from './code-errors.rules.js';
import type { CodeInput } from './code.input.js';
import { type CodeState, current, failed, type FailureKind, indexOf, stopped } from './code.state.js';
import { componentsOf, namesOf } from './components.rules.js';
import { exitsOf, LISTEN } from './exits.rules.js';
import { beginHook, evolveHook, hookSteps, thoughtIn } from './hook.rules.js';
import { executionError, exitError, feedbackOf, type IterationStatus, statusOf } from './iteration.rules.js';
import { sandboxObjects } from './objects.rules.js';
import {
  beginProgram,
  evolveProgram,
  isOver,
  type ProgramState,
  programSteps,
  sourcesOf,
} from './program.rules.js';
import { codeIn, firstMessages } from './prompt.js';
import { endOf } from './result.rules.js';

const LOOP = 3;
const LIMITS = { ticks: 1_000, memoryBytes: 67_108_864, stackBytes: 262_144, timeMs: 5_000 };

export function beginCode({ data }: Seen<WorkflowStarted>): CodeState {
  const input = data.input as object as CodeInput;
  const { model, tools } = data.facts as object as {
    readonly model: Pick<CodeState, 'routes' | 'seed'>;
    readonly tools: readonly ToolFact[];
  };
  const exits = exitsOf(input.exits, input.chat);
  const components = input.chat === true ? componentsOf(input.components) : [];
  const chat = beginChat(input);
  const callables = callablesOf(input, tools);
  const messages = firstMessages(input, { callables, exits, components });
  const none = { iterations: [], tracing: [], sources: [], repliedAt: '', spent: NOTHING_SPENT };
  const state = { input, exits, components, ...model, callables, messages, ...none, ...(chat && { chat }) };
  return chat?.isListening ? state : nextIteration(state);
}

export function evolveCode(before: CodeState, event: Seen<Event | RuntimeEvent | ActivityEvent>): CodeState {
  const state = noted(before, event);
  const { stop, chat, asking, hook, program } = state;
  if (stop) return state;
  if (event.type === 'RunCancelRequested') return cancelled(state, event);
  if (chat?.isListening) return answered(state, event);
  if (asking) return asked(state, evolveModelCall(asking, event), event.occurredAt);
  if (hook) return hooked(state, { ...hook, ...evolveHook(hook, event) }, event.occurredAt);
  return program ? ran(state, evolveProgram(program, event), event.occurredAt) : state;
}

export function nextOfCode(state: CodeState): readonly Step[] {
  return [...state.tracing.flatMap(hookSteps), ...workSteps(state)];
}

function workSteps(state: CodeState): readonly Step[] {
  const { stop, chat, asking, hook, program, input, messages } = state;
  if (stop) return [endOf(state, stop)];
  if (chat?.isListening) return [awaitStep(chat)];
  if (asking)
    return modelCallSteps(asking, (route) => ({
      labels: { iteration: indexOf(state) },
      body: modelBody(route, { messages }, input.modelParameters),
    }));
  if (hook) return hookSteps(hook);
  return program ? programSteps(program) : [];
}

/** What an event changes beside the place where the run is. */
function noted(state: CodeState, event: Seen): CodeState {
  const { chat, tracing } = state;
  if (tracing.length === 0 && (!chat || event.type !== 'MessageSent')) return state;
  const open = tracing.map((hook) => evolveHook(hook, event)).filter(({ answer }) => !answer);
  return { ...state, tracing: open, ...(chat && { chat: withMessage(chat, event) }) };
}

function nextIteration(state: CodeState): CodeState {
  const { input, iterations, routes, seed, chat } = state;
  const rest = atRest(state);
  const loop = input.loop ?? LOOP;
  if (iterations.length - (chat?.from ?? 0) >= loop)
    return ended(rest, 'loop-exceeded', `The loop of ${loop} iterations took no exit.`);
  if (isOverBudget(state) && iterations.length > 0)
    return failed(rest, 'budget', 'The budget of the run is spent.');
  const index = iterations.length + 1;
  return {
    ...rest,
    iterations: [...iterations, { index, status: { type: 'pending' }, traces: [], durationMs: 0 }],
    asking: beginModelCall({ callId: `iteration-${index}`, routes, seed }),
  };
}

function isOverBudget({ input: { budget = {} }, spent: { usage, costUSD = 0 } }: CodeState): boolean {
  const { maxTokens = Infinity, maxUSD = Infinity } = budget;
  const { promptTokens = 0, completionTokens = 0 } = usage;
  return promptTokens + completionTokens >= maxTokens || costUSD >= maxUSD;
}

/** A message for a conversation begins its next turn. */
function answered(state: CodeState, event: Seen): CodeState {
  const next = heard(state, event);
  return next ? nextIteration(next) : state;
}

function asked(state: CodeState, asking: ModelCallState, occurredAt: string): CodeState {
  const { phase, routes, spent } = asking;
  if (phase.at !== 'answered' && phase.at !== 'failed') return { ...state, asking };
  const { asking: _, ...rest } = state;
  const model = routes[0]?.modelId;
  const cost = { ...(model !== undefined && { model }), ...costOf(spent) };
  const next = current({ ...rest, routes, spent: addSpent(state.spent, spent), repliedAt: occurredAt }, cost);
  if (phase.at === 'failed') {
    const { message, kind } = phase.failure;
    const code = kind === 'budget' ? 'budget' : 'model-failed';
    return concluded(next, { type: 'generation_error', code, message }, occurredAt);
  }
  const turn = readTurn(phase.reply, phase.completion);
  const code = codeIn(turn.content ?? '');
  const replied = { ...next, messages: [...state.messages, turn.message] };
  return written(current(replied, { code, llmCallId: phase.reply.stepId }), code);
}

function costOf({ usage, costUSD }: ModelCallState['spent']) {
  return { usage, ...(costUSD !== undefined && { costUSD }) };
}

/** There is code: a hook may replace it before it runs. */
function written(state: CodeState, code: string): CodeState {
  const { onBeforeExecution } = state.input.hooks ?? {};
  if (!onBeforeExecution) return { ...state, program: programOf(state, code) };
  const iteration = indexOf(state);
  const hook = beginHook(`iteration-${iteration}-before`, onBeforeExecution, { iteration, code });
  return { ...state, hook: { ...hook, at: 'execution', status: { type: 'pending' } } };
}

function programOf(state: CodeState, code: string): ProgramState {
  const { callables, seed, repliedAt, input, iterations, components, sources } = state;
  const index = iterations.length;
  const { variablesIn } = iterations.at(-2) ?? {};
  const isCiting = input.citations === true;
  const program: SandboxProgram = {
    code,
    tools: callables.map(({ path }) => path),
    ...(index === 1 && input.objects && { objects: sandboxObjects(input.objects) }),
    clock: repliedAt,
    seed: `${seed} ${index}`,
    limits: { ...LIMITS, ...input.limits },
    ...(input.chat === true && { components: namesOf(components) }),
    ...(isCiting && { sources: sources.length }),
    ...(variablesIn !== undefined && { variablesFrom: variablesIn }),
  };
  const { hooks = {} } = input;
  const setting = { callables, components, hooks, iteration: index, ...(isCiting && { sources }) };
  return beginProgram({ id: `iteration-${index}-code`, program, setting });
}

function ran(before: CodeState, program: ProgramState, occurredAt: string): CodeState {
  const { traces, variablesIn = program.program.variablesFrom, end, broken } = program;
  const seen = current(
    { ...traced(before, program), program },
    { traces, ...(variablesIn !== undefined && { variablesIn }) },
  );
  if (!isOver(program)) return seen;
  const state = { ...seen, sources: sourcesOf(program) };
  if (broken !== undefined || !end)
    return concluded(state, executionError('sandbox-failed', broken ?? ''), occurredAt);
  const status = judged(state, program, statusOf(end, state.exits));
  const { onExit } = state.input.hooks ?? {};
  if (status.type !== 'exit_success' || !onExit) return concluded(state, status, occurredAt);
  const iteration = indexOf(state);
  const input = { iteration, exit: status.name, value: status.value };
  return {
    ...state,
    hook: { ...beginHook(`iteration-${iteration}-exit`, onExit, input), at: 'exit', status },
  };
}

/** The traces of a slice, for a hook that watches. */
function traced(state: CodeState, { traces }: ProgramState): CodeState {
  const { onTrace } = state.input.hooks ?? {};
  const added = traces.slice(state.program?.traces.length ?? 0);
  if (!onTrace || added.length === 0) return state;
  const iteration = indexOf(state);
  const id = `iteration-${iteration}-trace-${traces.length}`;
  return { ...state, tracing: [...state.tracing, beginHook(id, onTrace, { iteration, traces: added })] };
}

/** The status, unless a hook asked to think, or the code listens in silence. */
function judged({ chat }: CodeState, { calls }: ProgramState, status: IterationStatus): IterationStatus {
  const thought = calls.find((call) => call.thought)?.thought;
  if (thought) return { type: 'thinking_requested', ...thought };
  if (status.type !== 'exit_success' || status.name !== LISTEN.name || chat?.sent !== 0) return status;
  const message = 'The code listens, and has sent no message in this turn: yield one before.';
  return exitError('silent', LISTEN.name, message);
}

function hooked(state: CodeState, hook: NonNullable<CodeState['hook']>, occurredAt: string): CodeState {
  const { answer, at, status } = hook;
  if (!answer) return { ...state, hook };
  const { hook: _, ...rest } = state;
  const refused = 'refused' in answer ? answer.refused : undefined;
  const object: JsonObject = 'object' in answer ? answer.object : {};
  if (at === 'end') return checkedEnd(rest, object, occurredAt);
  if (at === 'exit') {
    if (refused === undefined || status.type !== 'exit_success') return concluded(rest, status, occurredAt);
    return concluded(rest, exitError('hook-refused', status.name, refused, status.value), occurredAt);
  }
  if (refused !== undefined) return concluded(rest, executionError('hook-refused', refused), occurredAt);
  const thought = thoughtIn(object);
  if (thought) return concluded(rest, { type: 'thinking_requested', ...thought }, occurredAt);
  const { code = rest.iterations.at(-1)?.code } = object;
  const text = typeof code === 'string' ? code : '';
  return { ...current(rest, { code: text }), program: programOf(rest, text) };
}

/** The iteration is over: a hook may end the run. */
function concluded(state: CodeState, status: IterationStatus, occurredAt: string): CodeState {
  const next = over(state, status, occurredAt);
  const { onIterationEnd } = state.input.hooks ?? {};
  if (!onIterationEnd) return proceeded(next, status);
  const iteration = indexOf(state);
  const input = { iteration, status };
  const hook = beginHook(`iteration-${iteration}-end`, onIterationEnd, input as object as JsonObject);
  return { ...next, hook: { ...hook, at: 'end', status } };
}

function checkedEnd(state: CodeState, { abort }: JsonObject, occurredAt: string): CodeState {
  if (typeof abort === 'string')
    return failed(over(state, { type: 'aborted', reason: abort }, occurredAt), 'aborted', abort);
  return proceeded(state, state.iterations.at(-1)?.status ?? { type: 'pending' });
}

function proceeded(state: CodeState, status: IterationStatus): CodeState {
  if (status.type === 'exit_success') return exited(state, status.name, status.value);
  if ('code' in status && isCritical(status.code))
    return ended(state, status.code === 'budget' ? 'budget' : 'critical', status.message);
  const { code = '' } = state.iterations.at(-1) ?? {};
  const end = state.program?.end;
  const line = end && 'line' in end ? end.line : undefined;
  const content = feedbackOf(status, code, line) ?? '';
  return nextIteration({ ...state, messages: [...state.messages, { role: 'user', content }] });
}

function exited(state: CodeState, exit: string, value: CodeState['messages'][number]): CodeState {
  const { chat, sources, input } = state;
  if (chat && exit === LISTEN.name) return { ...atRest(state), chat: listening(chat) };
  const cited = input.citations === true ? citationsIn(value, sources) : { value };
  return stopped(state, { exit, ...cited });
}

/** A turn of a conversation that fails leaves the run open for the next message. */
function ended(state: CodeState, kind: FailureKind, message: string): CodeState {
  const { chat } = state;
  if (!chat || kind === 'budget' || kind === 'aborted') return failed(state, kind, message);
  return { ...atRest(state), chat: listening(chat, { kind, message }) };
}

function atRest({ asking: _, hook: _hook, program: _program, ...state }: CodeState): CodeState {
  return state;
}

function over(state: CodeState, status: IterationStatus, occurredAt: string): CodeState {
  const since = state.repliedAt === '' ? occurredAt : state.repliedAt;
  return current(state, { status, durationMs: Date.parse(occurredAt) - Date.parse(since) });
}

function cancelled(state: CodeState, { data, occurredAt }: Seen): CodeState {
  const { reason = 'The run was cancelled.' } = data as { readonly reason?: string };
  const isAtWork = state.asking ?? state.hook ?? state.program;
  const next = isAtWork ? over(state, { type: 'aborted', reason }, occurredAt) : state;
  return failed(next, 'aborted', reason);
}
