import type { ActivityEvent, ActivityFailure } from '#lib/workflow';
import {
  MOST_INTERRUPTIONS,
  type SandboxCompleted,
  type SandboxEnd,
  type SandboxOutcome,
  type SandboxProgram,
  type SandboxTrace,
} from '#lib/call-rules';
import type { Event, Json, JsonObject } from '#lib/kernel';
import { type RuntimeEvent, type Seen, type Step, UnitAllowance } from '#lib/workflow';
import { callTraces } from './call-traces.rules.js';
import {
  beginCall,
  callSteps,
  type CallSetting,
  evolveCall,
  isAsking,
  mayRunBeside,
  type ProgramCall,
} from './program-call.rules.js';

/** A program as it runs: slice by slice in the sandbox, and between them the calls that it waits for. */
export interface ProgramState {
  /** Prefix of its steps. */
  readonly id: string;
  readonly program: SandboxProgram;
  readonly setting: CallSetting;
  /** The number of the slice that is open or comes next, from 1. */
  readonly slice: number;
  readonly attempt: number;
  readonly interruptions: number;
  readonly isOpen: boolean;
  /** Step of the newest completed slice. */
  readonly last?: string;
  readonly calls: readonly ProgramCall[];
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

export function beginProgram(given: Pick<ProgramState, 'id' | 'program' | 'setting'>): ProgramState {
  const none = { calls: [], outcomes: [], given: 0, done: 0, traces: [] };
  return { ...given, ...none, slice: 1, attempt: 1, interruptions: 0, isOpen: false };
}

/** Ended, and all its calls are over, also those that it did not wait for. */
export function isOver({ end, broken, calls }: ProgramState): boolean {
  return (end !== undefined || broken !== undefined) && calls.every(({ outcome }) => outcome);
}

/** Total: an event that is of no step of this program changes nothing. */
export function evolveProgram(
  state: ProgramState,
  event: Seen<Event | RuntimeEvent | ActivityEvent>,
): ProgramState {
  const { stepId } = event.data as { stepId?: string };
  if (stepId === sliceStep(state)) return sliced(state, event);
  return waiting(
    withCalls(
      state,
      state.calls.map((call) => evolveCall(call, event)),
      event.occurredAt,
    ),
  );
}

export function programSteps(state: ProgramState): readonly Step[] {
  return [...sliceSteps(state), ...openCalls(state).flatMap(callSteps)];
}

/** The first slice has the program, each later one what came since. */
function sliceSteps(state: ProgramState): readonly Step[] {
  const { end, broken, isOpen, last, program, outcomes, done } = state;
  if (end || broken !== undefined || isOpen || (last !== undefined && outcomes.length === done)) return [];
  const input = last === undefined ? { program } : { after: last, outcomes: outcomes.slice(done) };
  return [{ do: 'call', id: sliceStep(state), activity: 'sandbox', input: input as object as JsonObject }];
}

/** Calls that allow it run at once. */
function openCalls({ calls }: ProgramState): readonly ProgramCall[] {
  const open = calls.filter(({ outcome }) => !outcome);
  const next = open.find((call) => !mayRunBeside(call));
  return open.filter((call) => call === next || mayRunBeside(call) || isAsking(call));
}

/** The calls, with the outcomes of those that are over now. */
function withCalls(state: ProgramState, calls: readonly ProgramCall[], occurredAt: string): ProgramState {
  const ended = calls.flatMap((call, index) =>
    call.outcome && !state.calls[index]?.outcome
      ? [{ outcome: { call: index, ...call.outcome }, traces: callTraces(call, call.outcome, occurredAt) }]
      : [],
  );
  if (ended.length === 0) return { ...state, calls };
  const outcomes = [...state.outcomes, ...ended.map(({ outcome }) => outcome)];
  return { ...state, calls, outcomes, traces: [...state.traces, ...ended.flatMap(({ traces }) => traces)] };
}

function sliced(state: ProgramState, { type, data, occurredAt }: Seen): ProgramState {
  if (type === 'SandboxRequested') return { ...state, isOpen: true, given: state.outcomes.length };
  if (type === 'SandboxFailed') return failed(state, (data as { failure: ActivityFailure }).failure);
  if (type !== 'SandboxCompleted') return state;
  const { stepId, calls, traces, end, variables } = data as SandboxCompleted['data'];
  const next = {
    ...state,
    isOpen: false,
    done: state.given,
    last: stepId,
    slice: state.slice + 1,
    attempt: 1,
    traces: [...state.traces, ...traces],
    ...(end && { end }),
    ...(variables !== undefined && { variablesIn: stepId }),
  };
  const unit = new UnitAllowance('reply', state.setting.facts);
  const asked = calls.map((call, index) =>
    beginCall(`${state.id}.call-${state.calls.length + index + 1}`, call, state.setting, unit),
  );
  return waiting(withCalls(next, [...state.calls, ...asked], occurredAt));
}

/** The sources of the programs before, and those that it cites. */
export function sourcesOf({ setting, traces }: Pick<ProgramState, 'setting' | 'traces'>): readonly Json[] {
  const cited = traces.flatMap(({ type, source }) => (type === 'source' ? [source ?? null] : []));
  return [...(setting.sources ?? []), ...cited];
}

/** A program that waits for no call waits for nothing that can come. */
function waiting(state: ProgramState): ProgramState {
  const { end, broken, isOpen, last, calls, outcomes, done } = state;
  const isStuck =
    !isOpen && last !== undefined && outcomes.length === done && calls.every(({ outcome }) => outcome);
  if (end || broken !== undefined || !isStuck) return state;
  const message = 'The code waits for something that no call can bring.';
  return { ...state, end: { kind: 'threw', name: 'Error', message } };
}

/** By failures of a slice: where they are reached differs from machine to machine, so replay takes them as recorded. */
const MACHINE_LIMITS: Readonly<Record<string, string>> = { 'time-limit': 'time', 'too-deep': 'stack' };

function failed(state: ProgramState, { kind, message }: ActivityFailure): ProgramState {
  const next = { ...state, isOpen: false, attempt: state.attempt + 1 };
  const limit = MACHINE_LIMITS[kind];
  if (limit) return { ...next, end: { kind: 'limit', limit, message } };
  const interruptions = state.interruptions + 1;
  if (kind !== 'interrupted' || interruptions >= MOST_INTERRUPTIONS) return { ...next, broken: message };
  return { ...next, interruptions };
}

function sliceStep({ id, slice, attempt }: ProgramState): string {
  return `${id}.slice-${slice}#${attempt}`;
}
