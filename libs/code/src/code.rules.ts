import type { ActivityEvent } from '#lib/activity';
import type { SandboxProgram } from '#lib/calls';
import type { Event, Json, JsonObject } from '#lib/kernel';
import {
  addSpent,
  beginModelCall,
  evolveModelCall,
  modelBody,
  type ModelCallState,
  modelCallSteps,
  type ModelRoute,
  NOTHING_SPENT,
  readTurn,
  type Spent,
} from '#lib/models';
import type { ToolFact } from '#lib/tools/core';
import type { Failure, RuntimeEvent, Seen, Step, WorkflowStarted } from '#lib/workflow';
import type { CodeInput, Exit } from './code.input.js';
import { exitsOf } from './exits.rules.js';
import { feedbackOf, type Iteration, type IterationStatus, statusOf } from './iteration.rules.js';
import { beginProgram, evolveProgram, isOver, type ProgramState, programSteps } from './program.rules.js';
import { codeIn, firstMessages } from './prompt.js';

/** How the run ended. */
export type Stop =
  | { readonly exit: string; readonly value: Json }
  | { readonly failure: Failure & { readonly kind: 'loop-exceeded' | 'aborted' | 'budget' | 'critical' } };

export interface CodeState {
  readonly input: CodeInput;
  readonly exits: readonly Exit[];
  /** The model in use, then its backups. */
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
  readonly tools: readonly ToolFact[];
  /** Whole, in order. */
  readonly messages: readonly Json[];
  /** Those that are over, then the one that runs. */
  readonly iterations: readonly Iteration[];
  /** Of the iteration that runs, until there is a reply. */
  readonly asking?: ModelCallState;
  /** Of the iteration that runs, once there is a reply. */
  readonly program?: ProgramState;
  /** When the reply came. */
  readonly repliedAt: string;
  readonly spent: Spent;
  readonly stop?: Stop;
}

const LOOP = 3;
const LIMITS = { ticks: 1_000, memoryBytes: 67_108_864, stackBytes: 262_144, timeMs: 5_000 };

export function beginCode({ data }: Seen<WorkflowStarted>): CodeState {
  const input = data.input as object as CodeInput;
  const { model, tools } = data.facts as object as {
    readonly model: Pick<CodeState, 'routes' | 'seed'>;
    readonly tools: readonly ToolFact[];
  };
  const exits = exitsOf(input.exits);
  const messages = firstMessages(input, tools, exits);
  const none = { iterations: [], repliedAt: '', spent: NOTHING_SPENT };
  return nextIteration({ input, exits, ...model, tools, messages, ...none });
}

export function evolveCode(state: CodeState, event: Seen<Event | RuntimeEvent | ActivityEvent>): CodeState {
  if (state.stop) return state;
  if (event.type === 'RunCancelRequested') return cancelled(state, event);
  if (state.asking) return asked(state, evolveModelCall(state.asking, event), event.occurredAt);
  return state.program ? ran(state, evolveProgram(state.program, event), event.occurredAt) : state;
}

export function nextOfCode(state: CodeState): readonly Step[] {
  const { stop, asking, program, input, messages } = state;
  if (stop) return [endOf(state, stop)];
  if (asking)
    return modelCallSteps(asking, (route) => ({
      labels: { iteration: indexOf(state) },
      body: modelBody(route, { messages }, input.modelParameters),
    }));
  return program ? programSteps(program) : [];
}

/** The result with what the history holds already. */
export function wholeResult(_: CodeState, recorded: Json): Json {
  return { mutations: [], messages: [], ...(recorded as JsonObject) };
}

function endOf({ iterations, exits, spent }: CodeState, stop: Stop): Step {
  const result = { iterations: iterations.length, ...costOf(spent) };
  if ('failure' in stop) return { do: 'fail', failure: stop.failure, result };
  const { exit, value } = stop;
  const isTransition = exits.some(({ name, parameters }) => name === exit && parameters !== undefined);
  const proposed = isTransition && { arguments: value, summary: planOf(iterations.at(-1)) };
  return { do: 'end', result: { exit, value, ...proposed, ...result } };
}

/** The first comment of its code. */
function planOf(iteration: Iteration | undefined): Json {
  const comment = iteration?.traces.find(({ type }) => type === 'comment');
  return comment?.['text'] ?? null;
}

/** In the members of a proposal: the run may be the proposer of a session. */
function costOf({ usage: { promptTokens, completionTokens }, costUSD }: Spent) {
  return {
    ...(promptTokens !== undefined && { numInputTokens: promptTokens }),
    ...(completionTokens !== undefined && { numOutputTokens: completionTokens }),
    ...(costUSD !== undefined && { costUSD }),
  };
}

function indexOf({ iterations }: CodeState): number {
  return iterations.length;
}

function nextIteration(state: CodeState): CodeState {
  const { input, iterations, routes, seed, spent } = state;
  const loop = input.loop ?? LOOP;
  if (iterations.length >= loop)
    return failed(state, 'loop-exceeded', `The loop of ${loop} iterations took no exit.`);
  if (isOverBudget(input, spent) && iterations.length > 0)
    return failed(state, 'budget', 'The budget of the run is spent.');
  const index = iterations.length + 1;
  const { program: _, ...rest } = state;
  return {
    ...rest,
    iterations: [...iterations, { index, status: { type: 'pending' }, traces: [], durationMs: 0 }],
    asking: beginModelCall({ callId: `iteration-${index}`, routes, seed }),
  };
}

function isOverBudget({ budget = {} }: CodeInput, { usage, costUSD = 0 }: Spent): boolean {
  const { maxTokens = Infinity, maxUSD = Infinity } = budget;
  const { promptTokens = 0, completionTokens = 0 } = usage;
  return promptTokens + completionTokens >= maxTokens || costUSD >= maxUSD;
}

function asked(state: CodeState, asking: ModelCallState, occurredAt: string): CodeState {
  const { phase, routes } = asking;
  if (phase.at !== 'answered' && phase.at !== 'failed') return { ...state, asking };
  const { asking: _, ...rest } = state;
  const next = { ...rest, routes, spent: addSpent(state.spent, asking.spent), repliedAt: occurredAt };
  if (phase.at === 'failed') {
    const { message, kind } = phase.failure;
    const ended = over(next, { type: 'generation_error', message }, occurredAt);
    return failed(ended, kind === 'budget' ? 'budget' : 'critical', message);
  }
  const turn = readTurn(phase.reply, phase.completion);
  const code = codeIn(turn.content ?? '');
  const replied = { ...next, messages: [...state.messages, turn.message] };
  const noted = current(replied, { code, llmCallId: phase.reply.stepId });
  return { ...noted, program: programOf(noted, code) };
}

function programOf(state: CodeState, code: string): ProgramState {
  const { tools, seed, repliedAt, input, iterations } = state;
  const index = iterations.length;
  const { variablesIn } = iterations.at(-2) ?? {};
  const program: SandboxProgram = {
    code,
    tools: tools.map(({ toolId }) => toolId),
    clock: repliedAt,
    seed: `${seed} ${index}`,
    limits: { ...LIMITS, ...input.limits },
    ...(variablesIn !== undefined && { variablesFrom: variablesIn }),
  };
  return beginProgram({ id: `iteration-${index}-code`, program, tools });
}

function ran(state: CodeState, program: ProgramState, occurredAt: string): CodeState {
  const { traces, variablesIn = program.program.variablesFrom, end, broken } = program;
  const seen = current({ ...state, program }, { traces, ...(variablesIn !== undefined && { variablesIn }) });
  if (!isOver(program)) return seen;
  if (broken !== undefined || !end)
    return failed(
      over(seen, { type: 'execution_error', message: broken ?? '', stack: '' }, occurredAt),
      'critical',
      broken ?? '',
    );
  const status = statusOf(end, state.exits);
  const ended = over(seen, status, occurredAt);
  if (status.type === 'exit_success') return stopped(ended, { exit: status.name, value: status.value });
  const line = 'line' in end ? end.line : undefined;
  const content = feedbackOf(status, program.program.code, line) ?? '';
  return nextIteration({ ...ended, messages: [...ended.messages, { role: 'user', content }] });
}

function current(state: CodeState, changes: Partial<Iteration>): CodeState {
  const iterations = state.iterations.map((one, index) =>
    index === state.iterations.length - 1 ? { ...one, ...changes } : one,
  );
  return { ...state, iterations };
}

function over(state: CodeState, status: IterationStatus, occurredAt: string): CodeState {
  const since = state.repliedAt === '' ? occurredAt : state.repliedAt;
  return current(state, { status, durationMs: Date.parse(occurredAt) - Date.parse(since) });
}

function cancelled(state: CodeState, { data, occurredAt }: Seen): CodeState {
  const { reason = 'The run was cancelled.' } = data as { readonly reason?: string };
  return failed(over(state, { type: 'aborted', reason }, occurredAt), 'aborted', reason);
}

function failed(
  state: CodeState,
  kind: 'loop-exceeded' | 'aborted' | 'budget' | 'critical',
  message: string,
): CodeState {
  return stopped(state, { failure: { kind, message } });
}

function stopped(state: CodeState, stop: Stop): CodeState {
  const { asking: _, ...rest } = state;
  return { ...rest, stop };
}
