import type { ActivityEvent, ActivityFailure } from '#lib/activity';
import {
  MOST_INTERRUPTIONS,
  type SandboxCompleted,
  type SandboxEnd,
  type SandboxOutcome,
  type SandboxProgram,
  type SandboxTrace,
} from '#lib/calls';
import { checkValue } from '#lib/json-schema';
import { type Event, type Json, type JsonObject, jsonText } from '#lib/kernel';
import {
  beginToolCall,
  evolveToolCall,
  resultOf,
  type ToolCallState,
  toolCallSteps,
  type ToolFact,
} from '#lib/tools/core';
import type { RuntimeEvent, Seen, Step } from '#lib/workflow';

/** A program as it runs: slice by slice in the sandbox, and between them the calls of tools that it waits for. */
export interface ProgramState {
  /** Prefix of its steps. */
  readonly id: string;
  readonly program: SandboxProgram;
  readonly tools: readonly ToolFact[];
  /** Of the slice that is open or comes next, from 1. */
  readonly slice: number;
  readonly attempt: number;
  readonly interruptions: number;
  readonly isOpen: boolean;
  /** Step of the newest completed slice. */
  readonly last?: string;
  readonly calls: readonly ToolCallState[];
  /** In the order in which they came. */
  readonly outcomes: readonly SandboxOutcome[];
  /** How many of them the open slice has. */
  readonly given: number;
  /** How many of them completed slices have had. */
  readonly done: number;
  readonly traces: readonly SandboxTrace[];
  readonly end?: SandboxEnd;
  /** Step of the slice that holds its variables. */
  readonly variablesIn?: string;
  /** The sandbox itself failed. */
  readonly broken?: string;
}

export function beginProgram(given: Pick<ProgramState, 'id' | 'program' | 'tools'>): ProgramState {
  const none = { calls: [], outcomes: [], given: 0, done: 0, traces: [] };
  return { ...given, ...none, slice: 1, attempt: 1, interruptions: 0, isOpen: false };
}

/** Ended, and all its calls are over, also those that it did not wait for. */
export function isOver({ end, broken, calls }: ProgramState): boolean {
  return (end !== undefined || broken !== undefined) && calls.every((call) => resultOf(call));
}

/** Total: an event that is of no step of this program changes nothing. */
export function evolveProgram(
  state: ProgramState,
  event: Seen<Event | RuntimeEvent | ActivityEvent>,
): ProgramState {
  const { stepId } = event.data as { stepId?: string };
  if (stepId === sliceStep(state)) return sliced(state, event);
  const calls = state.calls.map((call) => evolveToolCall(call, event));
  const ended = calls.flatMap((call, index) => {
    const before = state.calls[index];
    return before && !resultOf(before) && resultOf(call) ? [outcomeOf(call, index, event)] : [];
  });
  return waiting({ ...state, calls, outcomes: [...state.outcomes, ...ended] });
}

export function programSteps(state: ProgramState): readonly Step[] {
  return [...sliceSteps(state), ...openCalls(state).flatMap(toolCallSteps)];
}

/** The first slice has the program, each later one what came since. */
function sliceSteps(state: ProgramState): readonly Step[] {
  const { end, broken, isOpen, last, program, outcomes, done } = state;
  if (end || broken !== undefined || isOpen || (last !== undefined && outcomes.length === done)) return [];
  const input = last === undefined ? { program } : { after: last, outcomes: outcomes.slice(done) };
  return [{ do: 'call', id: sliceStep(state), activity: 'sandbox', input: input as object as JsonObject }];
}

/** Calls that allow it run at once; of the others one after another. What needs no tool yet, such as an approval, waits for none. */
function openCalls({ calls }: ProgramState): readonly ToolCallState[] {
  const open = calls.filter((call) => !resultOf(call));
  const next = open.find((call) => !mayRunBeside(call));
  return open.filter((call) => call === next || mayRunBeside(call) || call.phase.at === 'asking');
}

function mayRunBeside({ tool, phase }: ToolCallState): boolean {
  return tool?.policy.concurrencySafe === true || phase.at === 'rejecting';
}

function sliced(state: ProgramState, { type, data }: Seen): ProgramState {
  if (type === 'SandboxRequested') return { ...state, isOpen: true, given: state.outcomes.length };
  if (type === 'SandboxFailed') return failed(state, (data as { failure: ActivityFailure }).failure);
  if (type !== 'SandboxCompleted') return state;
  const { stepId, calls, traces, end, variables } = data as SandboxCompleted['data'];
  const asked = calls.map(({ tool: toolId, input }, index) => {
    const callId = `${state.id}.call-${state.calls.length + index + 1}`;
    const known = state.tools.find((one) => one.toolId === toolId);
    return beginToolCall({ callId, toolId, argumentsText: jsonText(input) }, known);
  });
  return waiting({
    ...state,
    isOpen: false,
    done: state.given,
    last: stepId,
    slice: state.slice + 1,
    attempt: 1,
    calls: [...state.calls, ...asked],
    traces: [...state.traces, ...traces],
    ...(end && { end }),
    ...(variables !== undefined && { variablesIn: stepId }),
  });
}

/** A program that waits for no call waits for nothing that can come. */
function waiting(state: ProgramState): ProgramState {
  const { end, broken, isOpen, last, calls, outcomes, done } = state;
  const isStuck =
    !isOpen && last !== undefined && outcomes.length === done && calls.every((call) => resultOf(call));
  if (end || broken !== undefined || !isStuck) return state;
  const message = 'The code waits for something that no tool call can bring.';
  return { ...state, end: { kind: 'threw', name: 'Error', message } };
}

function failed(state: ProgramState, { kind, message }: ActivityFailure): ProgramState {
  const next = { ...state, isOpen: false, attempt: state.attempt + 1 };
  if (kind === 'time-limit') return { ...next, end: { kind: 'limit', limit: 'time', message } };
  const interruptions = state.interruptions + 1;
  if (kind !== 'interrupted' || interruptions >= MOST_INTERRUPTIONS) return { ...next, broken: message };
  return { ...next, interruptions };
}

function outcomeOf(state: ToolCallState, call: number, { type, data }: Seen): SandboxOutcome {
  const result = resultOf(state);
  if (!result?.success) return { call, error: failureText(state, result?.message ?? '') };
  const problem = outputProblem(state, result.data ?? null);
  if (problem !== undefined) return { call, error: problem };
  if (type === 'ToolCallCompleted') return { call, result: (data as { stepId: string }).stepId };
  return { call, ...(result.data !== undefined && { value: result.data }) };
}

function failureText(
  { toolId, tool, attempt, asked, interruptions }: ToolCallState,
  message: string,
): string {
  const wasRejected = tool !== undefined && attempt === 1 && asked === 0 && interruptions === 0;
  const isInput = wasRejected && message.startsWith('The arguments ');
  return isInput ? `Tool ${toolId} received invalid input: ${message}` : message;
}

/** What a tool returns is checked against the schema of its result. */
function outputProblem({ toolId, tool }: ToolCallState, data: Json): string | undefined {
  if (tool?.result === undefined) return undefined;
  const { errors, count } = checkValue(tool.result, data);
  if (count === 0) return undefined;
  const listed = errors.map(({ path, keyword, params }) => `${path || '/'} ${keyword} ${jsonText(params)}`);
  return `Tool ${toolId} returned invalid output: ${listed.join('; ')}`;
}

function sliceStep({ id, slice, attempt }: ProgramState): string {
  return `${id}.slice-${slice}#${attempt}`;
}
