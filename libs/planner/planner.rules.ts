import type { ActivityEvent } from '#lib/workflow';
import type { AskedIn, ToolResult } from '#lib/call-rules';
import type { Event, Json, JsonObject } from '#lib/kernel';
import {
  addSpent,
  type AskedCall,
  type AssistantTurn,
  beginModelCall,
  type ChatTool,
  evolveModelCall,
  isSpent,
  modelBody,
  type ModelCallState,
  modelCallSteps,
  type ModelRoute,
  NOTHING_SPENT,
  readTurn,
  type Spent,
  spentMembers,
} from '#lib/call-rules';
import {
  beginToolCall,
  callAt,
  changedArguments,
  evolveToolCall,
  resultOf,
  resultText,
  type RulesAt,
  shownResult,
  type ToolCallState,
  toolCallSteps,
  type ToolFact,
} from '#lib/runs/tools/core';
import {
  type RuntimeEvent,
  type Seen,
  type Started,
  type Step,
  UnitAllowance,
  type WorkflowStarted,
} from '#lib/workflow';
import type { InlineExit, ModelFact, PlannerInput } from './planner.input.js';

type StopReason =
  'assistant-stop' | 'no-tool-calls' | 'max-rounds' | 'llm-error' | 'budget' | 'exit' | 'cancelled';

export interface Stop {
  readonly reason: StopReason;
  readonly summary: string | null;
  readonly error?: string;
  readonly exit?: { readonly exit: string; readonly arguments: JsonObject };
}

/** A call of a round: what the model asked for, and how far it has come. */
export interface RoundCall {
  readonly asked: AskedCall;
  readonly isExit: boolean;
  readonly isInline: boolean;
  readonly state: ToolCallState;
}

export interface ExecutedCall {
  readonly round: number;
  readonly callId: string;
  readonly toolId: string;
  readonly arguments: JsonObject;
  /** Present if a person changed the arguments. */
  readonly argumentsChanged?: true;
  readonly result: ToolResult;
}

export interface PlannerState extends RulesAt {
  readonly input: PlannerInput;
  /** Of the start. */
  readonly facts: WorkflowStarted['data']['facts'];
  /** The model in use, then its backups. */
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
  readonly tools: readonly ToolFact[];
  /** In a loop in memory, whose caller answers for every name: the tool of a name that was not offered. */
  readonly unlisted?: (toolId: string) => ToolFact;
  /** Whole, in order. */
  readonly messages: readonly Json[];
  /** The one that runs, from 1; 0 before the first. */
  readonly round: number;
  /** The call of the model in the round, until there is a turn. */
  readonly asking?: ModelCallState;
  /** The calls of the round, in the order of the model. */
  readonly calls: readonly RoundCall[];
  readonly turn?: AssistantTurn;
  readonly executed: readonly ExecutedCall[];
  readonly spent: Spent;
  readonly stop?: Stop;
}

const MAX_ROUNDS = 5;

export function beginPlanner({ data, runId }: Started): PlannerState {
  const input = data.input as object as PlannerInput;
  const { model, tools } = data.facts as object as { model: ModelFact; tools: readonly ToolFact[] };
  const messages = [
    { role: 'system', content: input.systemPrompt },
    { role: 'user', content: input.userPrompt },
  ];
  return nextRound({
    runId,
    version: data.version,
    input,
    facts: data.facts,
    ...model,
    tools,
    messages,
    round: 0,
    calls: [],
    executed: [],
    spent: NOTHING_SPENT,
  });
}

export function evolvePlanner(
  state: PlannerState,
  event: Seen<Event | RuntimeEvent | ActivityEvent>,
): PlannerState {
  if (state.stop) return state;
  if (event.type === 'RunCancelRequested') return stopped(state, { reason: 'cancelled', summary: null });
  return state.asking ? asked(state, evolveModelCall(state.asking, event)) : called(state, event);
}

export function nextOfPlanner(state: PlannerState): readonly Step[] {
  const { stop, asking } = state;
  if (stop) return [endOf(state, stop)];
  if (asking) return modelCallSteps(asking, (route) => questionOf(state, route));
  return openCalls(state).flatMap(({ state: call }) => toolCallSteps(call));
}

/** The result without what the history holds already: see `wholeResult`. */
function endOf({ round, spent }: PlannerState, { reason, summary, error, exit }: Stop): Step {
  const result = { rounds: round, summary, stopReason: reason, ...exit, ...spentMembers(spent) };
  if (reason !== 'llm-error') return { do: 'end', result };
  return { do: 'fail', failure: { kind: 'llm-error', message: error ?? '' }, result };
}

/** The result with all calls that were executed and the whole transcript. */
export function wholeResult({ executed, messages }: PlannerState, recorded: Json): Json {
  const { rounds, ...rest } = recorded as JsonObject;
  return { rounds: rounds ?? 0, executedCalls: executed as object as Json, ...rest, messages: [...messages] };
}

function questionOf(state: PlannerState, route: ModelRoute) {
  const { input, messages, round } = state;
  return {
    labels: { round },
    body: modelBody(route, { messages, tools: offeredTools(state) }, input.modelParameters),
  };
}

/** Tools, then ways out; a tool that is also a way out is offered once. */
function offeredTools({ input, tools }: PlannerState): readonly ChatTool[] {
  const exits = input.exits ?? [];
  const names = exits.map((exit) => (typeof exit === 'string' ? exit : exit.name));
  const ids = [...input.tools.filter((toolId) => !names.includes(toolId)), ...exits];
  const offered = ids.flatMap((one) => {
    if (typeof one !== 'string') return [one];
    const tool = tools.find(({ toolId }) => toolId === one);
    return tool ? [{ name: one, description: tool.description, parameters: tool.parameters }] : [];
  });
  return offered
    .filter(({ name }, index) => offered.findIndex((one) => one.name === name) === index)
    .map((one) => ({ type: 'function', function: { ...one } }));
}

function asked(state: PlannerState, asking: ModelCallState): PlannerState {
  const { phase, routes } = asking;
  if (phase.at !== 'answered' && phase.at !== 'failed') return { ...state, asking };
  const { asking: _, ...rest } = state;
  const next = { ...rest, routes, spent: addSpent(state.spent, asking.spent) };
  if (phase.at === 'failed')
    return stopped(next, { reason: 'llm-error', summary: null, error: phase.failure.message });
  return turned(next, readTurn(phase.reply, phase.completion), phase.reply.stepId);
}

function turned(state: PlannerState, turn: AssistantTurn, reply: string): PlannerState {
  const next = { ...state, turn, messages: [...state.messages, turn.message] };
  const unit = new UnitAllowance('reply', state.facts);
  const calls = turn.calls.map((call, index) => roundCall(state, call, { reply, call: index + 1 }, unit));
  if (calls.length > 0) return progressed({ ...next, calls });
  const reason = turn.finishReason === 'stop' ? 'assistant-stop' : 'no-tool-calls';
  return stopped(next, { reason, summary: turn.content });
}

function roundCall(
  state: PlannerState,
  asked: AskedCall,
  argumentsFrom: AskedIn,
  unit: UnitAllowance,
): RoundCall {
  const { input, tools, round } = state;
  const { name: toolId, argumentsText } = asked;
  const exit = input.exits?.find((one) => (typeof one === 'string' ? one : one.name) === toolId);
  const isInline = typeof exit === 'object';
  const isOffered = exit !== undefined || input.tools.includes(toolId);
  const known = isInline
    ? inlineFact(exit)
    : (tools.find((one) => isOffered && one.toolId === toolId) ?? state.unlisted?.(toolId));
  const at = callAt(state, `round-${round}.call-${argumentsFrom.call}`);
  const begun = beginToolCall({ ...at, toolId, argumentsText, argumentsFrom }, known, unit);
  return { asked, isExit: exit !== undefined, isInline, state: begun };
}

/** Its arguments are checked like those of a tool, and it is never called. */
function inlineFact({ name, description, parameters }: InlineExit): ToolFact {
  return { toolId: name, version: 0, description, parameters, execution: { fnName: name }, policy: {} };
}

function called(state: PlannerState, event: Seen<Event | RuntimeEvent | ActivityEvent>): PlannerState {
  const calls = state.calls.map((call) => ({ ...call, state: evolveToolCall(call.state, event) }));
  return progressed({ ...state, calls });
}

/** The calls that may run now: the first that is not over, and the neighbours that may run beside it. */
function openCalls({ calls, input }: PlannerState): readonly RoundCall[] {
  const first = calls.findIndex(({ state }) => !resultOf(state));
  const [call] = calls.slice(first);
  if (first < 0 || !call) return [];
  if (!mayRunBeside(call)) return [call];
  const rest = calls.slice(first);
  const barrier = rest.findIndex((one) => !mayRunBeside(one));
  const neighbours = barrier < 0 ? rest : rest.slice(0, barrier);
  return neighbours.filter(({ state }) => !resultOf(state)).slice(0, input.concurrency ?? 1);
}

function mayRunBeside({ isExit, state }: RoundCall): boolean {
  return !isExit && state.tool?.policy.concurrencySafe === true;
}

/** Stops at an exit that was taken; starts the next round when all calls have ended. */
function progressed(state: PlannerState): PlannerState {
  for (const call of state.calls) {
    const result = resultOf(call.state);
    const isTaken = call.isInline ? call.state.phase.at === 'calling' : call.isExit && result?.success;
    if (isTaken) return stopped(state, exitStop(state, call));
    if (!result) return state;
  }
  return nextRound(withResults(state));
}

function exitStop({ turn }: PlannerState, { state: { toolId, arguments: given } }: RoundCall): Stop {
  return { reason: 'exit', summary: turn?.content ?? null, exit: { exit: toolId, arguments: given } };
}

function nextRound(state: PlannerState): PlannerState {
  const { input, round, spent } = state;
  if (round >= (input.maxRounds ?? MAX_ROUNDS))
    return stopped(state, { reason: 'max-rounds', summary: null });
  if (round > 0 && isSpent(input.budget, spent)) return stopped(state, { reason: 'budget', summary: null });
  const { routes, seed } = state;
  const callId = `round-${round + 1}`;
  return {
    ...state,
    round: round + 1,
    asking: beginModelCall({ callId, routes, seed, needsTools: true }),
  };
}

function stopped(state: PlannerState, stop: Stop): PlannerState {
  const { asking: _, ...rest } = withResults(state);
  return { ...rest, stop };
}

/** The results of the calls that are over, as messages and in the list of what was executed: the round is over. */
function withResults(state: PlannerState): PlannerState {
  const over = state.calls.flatMap((call) => {
    const result = resultOf(call.state);
    return result ? [{ ...call, result }] : [];
  });
  const messages = over.map(({ asked, state: call, result }) => toolMessage(asked, call, result));
  const executed = over.map(({ state: call, result }) => {
    const { callId, toolId, arguments: given } = call;
    const changed = changedArguments(call) && { argumentsChanged: true as const };
    return { round: state.round, callId, toolId, arguments: given, ...changed, result };
  });
  return {
    ...state,
    calls: [],
    messages: [...state.messages, ...messages],
    executed: [...state.executed, ...executed],
  };
}

function toolMessage({ id }: AskedCall, call: ToolCallState, result: ToolResult): Json {
  const { tool } = call;
  const content = resultText(tool ? shownResult(result, tool) : result, changedArguments(call));
  return { role: 'tool', tool_call_id: id, content };
}
