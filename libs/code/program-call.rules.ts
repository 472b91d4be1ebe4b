import type { ActivityEvent } from '#lib/workflow';
import type { SandboxCall } from '#lib/call-rules';
import { checkValue, errorsText } from '#lib/json-schema';
import {
  type Event,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  ownMember,
  sha256,
} from '#lib/kernel';
import {
  beginToolCall,
  type CallAt,
  callAt,
  evolveToolCall,
  resultOf,
  type RulesAt,
  type ToolCallState,
  toolCallSteps,
} from '#lib/runs/tools/core';
import {
  NotDerived,
  type RuntimeEvent,
  type Seen,
  type Step,
  UnitAllowance,
  type WorkflowStarted,
} from '#lib/workflow';
import { argumentsText, type Callable } from './callables.rules.js';
import { citationsIn, citationsProblem } from './citations.js';
import type { CodeError } from './code-errors.rules.js';
import type { MessageSent } from './code.events.js';
import { type Component, type Element, messageOf } from './components.rules.js';
import {
  beginHook,
  type CodeHooks,
  evolveHook,
  type HookCall,
  hookSteps,
  type Thought,
  thoughtIn,
} from './hook.rules.js';

/** The functions, components and hooks that the calls of a program can name. */
export interface CallSetting extends RulesAt {
  readonly callables: readonly Callable[];
  readonly components: readonly Component[];
  readonly hooks: CodeHooks;
  readonly iteration: number;
  /** Of the start of the run. */
  readonly facts: WorkflowStarted['data']['facts'];
  /** The sources that earlier programs cited. Without it tags are text. */
  readonly sources?: readonly Json[];
}

/** The outcome of a call, without its place. */
export type CallOutcome =
  { readonly value?: Json } | { readonly result: string; readonly sha256: string } | CallFailure;
interface CallFailure {
  readonly error: string;
  readonly code: CodeError;
}

/** A call of a program: a message of a conversation, or a tool with the hooks before and after it. */
export interface ProgramCall extends CallAt {
  /** Recorded as it is, then over. */
  readonly message?: MessageSent['data'];
  readonly tool?: ToolCallState;
  readonly hook?: HookCall & { readonly at: 'before' | 'after' };
  readonly hooks: CodeHooks;
  readonly facts: CallSetting['facts'];
  /** Checking its message takes more than an allowance that the run does not have. */
  readonly notDerived?: true;
  readonly asked: SandboxCall;
  readonly callable?: Callable;
  /** When the tool was requested last. */
  readonly startedAt?: string;
  readonly iteration: number;
  /** The outcome of the tool, by reference if the log has it. */
  readonly found?: CallOutcome;
  /** Set if a hook answered `think`. */
  readonly thought?: Thought;
  readonly outcome?: CallOutcome;
}

/** The name of the call that sends a message. */
const YIELD = 'yield';

/**
 * @param place of the call in the history of the run
 * @param unit the allowance that the checks of all calls that a slice asks for share
 */
export function beginCall(
  place: string,
  asked: SandboxCall,
  setting: CallSetting,
  unit: UnitAllowance,
): ProgramCall {
  const { callables, hooks, iteration, facts } = setting;
  const call = { ...callAt(setting, place), asked, hooks, iteration, facts };
  if (asked.tool === YIELD) {
    const sent = messageCall(call, setting, unit);
    return unit.isExceeded && !unit.isGranted ? { ...call, notDerived: true } : sent;
  }
  const callable = callables.find(({ path }) => path === asked.tool);
  const known = { ...call, ...(callable && { callable }) };
  const { onBeforeTool } = hooks;
  if (!onBeforeTool) return withTool(known, asked.input, unit);
  const hook = beginHook(`${place}-before`, onBeforeTool, hookInput(known));
  return { ...known, hook: { ...hook, at: 'before' } };
}

/** Total: an event that is of no step of this call changes nothing. */
export function evolveCall(
  call: ProgramCall,
  event: Seen<Event | RuntimeEvent | ActivityEvent>,
): ProgramCall {
  const { message, hook, tool, outcome } = call;
  if (outcome) return call;
  if (message) {
    const { messageId } = event.data as { messageId?: string };
    return event.type === 'MessageSent' && messageId === call.callId ? { ...call, outcome: {} } : call;
  }
  if (hook) return hooked(call, { ...evolveHook(hook, event), at: hook.at });
  if (!tool) return call;
  const { callId } = event.data as { callId?: string };
  if (event.type === 'ToolCallRequested' && callId === call.callId)
    return { ...call, startedAt: event.occurredAt };
  const next = evolveToolCall(tool, event);
  return next === tool ? call : called({ ...call, tool: next }, event);
}

/** @throws NotDerived */
export function callSteps({ message, hook, tool, outcome, notDerived }: ProgramCall): readonly Step[] {
  if (notDerived) throw new NotDerived('reply');
  if (outcome) return [];
  if (message) return [{ do: 'record', event: { type: 'MessageSent', data: message } }];
  if (hook) return hookSteps(hook);
  return tool ? toolCallSteps(tool) : [];
}

/** Calls of tools that do not allow it run one after another. What needs no tool yet, such as an approval, waits for none. */
export function mayRunBeside({ callable, tool, message }: ProgramCall): boolean {
  return (
    message !== undefined || callable?.tool.policy.concurrencySafe === true || tool?.phase.at === 'rejecting'
  );
}

/** Waits for a person. */
export function isAsking({ tool }: ProgramCall): boolean {
  return tool?.phase.at === 'asking';
}

function messageCall(
  call: ProgramCall,
  { components, sources }: CallSetting,
  unit: UnitAllowance,
): ProgramCall {
  const found = messageOf(call.asked.input, components, unit);
  if ('problem' in found) return { ...call, outcome: failure(found.problem, 'invalid-message') };
  const { element } = found;
  if (!sources) return { ...call, message: { messageId: call.callId, ...element } };
  const problem = citationsProblem(element);
  if (problem !== undefined) return { ...call, outcome: failure(`A message ${problem}`, 'invalid-message') };
  const { value, citations } = citationsIn(element);
  const cited = citations.length > 0 && { citations };
  return { ...call, message: { messageId: call.callId, ...(value as Element), ...cited } };
}

function withTool(
  call: ProgramCall,
  input: Json,
  unit = new UnitAllowance('reply', call.facts),
): ProgramCall {
  const { callId, place, version, asked, callable } = call;
  const toolId = callable?.tool.toolId ?? asked.tool;
  const given = { callId, place, version, toolId, argumentsText: argumentsText(input, callable) };
  return { ...call, tool: beginToolCall(given, callable?.tool, unit) };
}

function hooked(call: ProgramCall, hook: NonNullable<ProgramCall['hook']>): ProgramCall {
  const { answer } = hook;
  if (!answer) return { ...call, hook };
  const { hook: _, ...rest } = call;
  if ('refused' in answer) return { ...rest, outcome: failure(answer.refused, 'hook-refused') };
  const thought = thoughtIn(answer.object, call.version);
  if (thought) return { ...rest, thought, outcome: failure(thought.reason, 'think') };
  if (hook.at === 'before') return withTool(rest, ownMember(answer.object, 'input') ?? call.asked.input);
  const output = ownMember(answer.object, 'output');
  return output === undefined ? checked(rest) : checked({ ...rest, found: { value: output } }, output);
}

function called(call: ProgramCall, { type, data }: Seen): ProgramCall {
  const { tool, hooks, place, version } = call;
  const result = tool && resultOf(tool);
  if (!tool || !result) return call;
  if (!result.success) return { ...call, outcome: toolFailure(tool, result.message) };
  const thought = version > 1 && isJsonObject(result.data) ? thoughtIn(result.data, version) : undefined;
  if (thought) return { ...call, thought, outcome: failure(thought.reason, 'think') };
  const stepId = type === 'ToolCallCompleted' ? (data as { stepId: string }).stepId : undefined;
  const next = { ...call, found: foundIn(result.data, stepId) };
  const { onAfterTool } = hooks;
  if (!onAfterTool) return checked(next);
  const input = { ...hookInput(call), input: tool.arguments, output: result.data ?? null };
  return { ...next, hook: { ...beginHook(`${place}-after`, onAfterTool, input), at: 'after' } };
}

/** By reference to the step of the call, or the value that a person gave. */
function foundIn(result: Json | undefined, stepId: string | undefined): CallOutcome {
  if (stepId !== undefined) return { result: stepId, sha256: sha256(jsonText(result ?? null)) };
  return result === undefined ? {} : { value: result };
}

/** The outcome is a failure if the result does not fit the tool's output schema. */
function checked(call: ProgramCall, output?: Json): ProgramCall {
  const result = call.tool && resultOf(call.tool);
  const data = result?.success === true ? result.data : undefined;
  const problem = outputProblem(call, output ?? data ?? null);
  return {
    ...call,
    outcome: problem === undefined ? (call.found ?? {}) : failure(problem, 'invalid-output'),
  };
}

function outputProblem({ asked, callable }: ProgramCall, data: Json): string | undefined {
  const schema = callable?.tool.result;
  if (schema === undefined) return undefined;
  const { errors, count } = checkValue(schema, data);
  return count === 0 ? undefined : `Tool ${asked.tool} returned invalid output: ${errorsText(errors)}`;
}

function toolFailure(
  { toolId, tool, attempt, asked, interruptions }: ToolCallState,
  message: string,
): CallFailure {
  const wasRejected = tool !== undefined && attempt === 1 && asked === 0 && interruptions === 0;
  const isInput = wasRejected && message.startsWith('The arguments ');
  if (isInput) return failure(`Tool ${toolId} received invalid input: ${message}`, 'invalid-input');
  return failure(message, 'tool-failed');
}

function hookInput({ iteration, callId, asked }: ProgramCall): JsonObject {
  return { iteration, callId, tool: asked.tool, input: asked.input };
}

function failure(error: string, code: CodeError): CallFailure {
  return { error, code };
}
