import type { SandboxCall, ToolCallCompleted } from '#lib/call-rules';
import { checkValue, errorsText } from '#lib/json-schema';
import { isJsonObject, type Json, type JsonObject, jsonText, ownMember, sha256 } from '#lib/kernel';
import {
  beginToolCall,
  type CallAt,
  callAt,
  resultOf,
  type ToolCallState,
  toolCalled,
} from '#lib/runs/tools/core';
import { done, here, NotDerived, type Script, type Steps, UnitAllowance } from '#lib/workflow';
import { argumentsText, type Callable } from './callables.rules.js';
import { withMessage } from './chat.rules.js';
import { citationsIn, citationsProblem } from './citations.js';
import type { CodeError } from './code-errors.rules.js';
import type { MessageSent } from './code.events.js';
import { type CodeState, indexOf } from './code.state.js';
import { type Component, type Element, messageOf } from './components.rules.js';
import { heeded } from './heeded.script.js';
import { type HookAnswer, type Thought, thoughtIn } from './hook.script.js';

/** The outcome of a call, without its index. */
export type CallOutcome =
  | { readonly value?: Json; readonly registers?: true }
  | { readonly result: string; readonly sha256: string; readonly registers?: true }
  | CallFailure;
interface CallFailure {
  readonly error: string;
  readonly code: CodeError;
}

/** A finished call of a program: a message of a conversation, or a tool with the hooks before and after it. */
export interface MadeCall {
  readonly callId: string;
  readonly asked: SandboxCall;
  readonly isMessage?: true;
  readonly callable?: Callable;
  readonly tool?: ToolCallState;
  /** The time at which the tool was last requested. */
  readonly startedAt?: string;
  readonly outcome: CallOutcome;
  /** Present if a hook or the tool answered `think`. */
  readonly thought?: Thought;
}

/** The place of a call among the others of its program. */
interface CallPlace {
  /** The place in the history of the run. */
  readonly place: string;
  /** The checks of all calls that a slice asks for share it. */
  readonly unit: UnitAllowance;
  /** Lets other calls run without waiting for this one. */
  passes(this: void): void;
  /** Waits until the call may run. */
  turn(this: void): Script<void>;
}

/** The name of the call that sends a message. */
const YIELD = 'yield';

/** Makes a call of a program. The parts that do not run the tool, such as an approval, wait for no turn. @throws NotDerived */
export function* callMade(state: CodeState, asked: SandboxCall, at: CallPlace): Steps<MadeCall> {
  const { runId } = yield* here();
  const { callId, place, version } = callAt({ ...state, runId }, at.place);
  if (asked.tool === YIELD) return yield* sent(state, { callId, asked }, at);
  const callable = state.callables.find(({ path }) => path === asked.tool);
  if (callable?.tool.policy.concurrencySafe) at.passes();
  const call = new ToolCallOfProgram(state, { callId, place, version }, asked, at, callable);
  return { callId, asked, ...(callable && { callable }), ...(yield* call.made()) };
}

function* sent(
  state: CodeState,
  call: Pick<MadeCall, 'callId' | 'asked'>,
  { unit, passes }: CallPlace,
): Steps<MadeCall> {
  const { components, input } = state;
  const message = messageIn(call.asked.input, { components, isCiting: input.citations !== undefined, unit });
  if (unit.isExceeded && !unit.isGranted) throw new NotDerived(unit.unit);
  if ('error' in message) return { ...call, outcome: message };
  passes();
  const data: MessageSent['data'] = { messageId: call.callId, ...message };
  const { event } = yield* done({ do: 'record', event: { type: 'MessageSent', data } });
  if (state.chat) state.chat = withMessage(state.chat, event);
  return { ...call, isMessage: true, outcome: {} };
}

/** The message of a value that a program yielded, in its recorded form; a failure if it cannot be sent. */
export function messageIn(
  yielded: Json,
  given: {
    readonly components: readonly Component[];
    readonly isCiting: boolean;
    readonly unit: UnitAllowance;
  },
): Omit<MessageSent['data'], 'messageId'> | CallFailure {
  const found = messageOf(yielded, given.components, given.unit);
  if ('problem' in found) return failure(found.problem, 'invalid-message');
  const { element } = found;
  if (!given.isCiting) return element;
  const problem = citationsProblem(element);
  if (problem !== undefined) return failure(`A message ${problem}`, 'invalid-message');
  const { value, citations } = citationsIn(element);
  return { ...(value as Element), ...(citations.length > 0 && { citations }) };
}

type Over = Pick<MadeCall, 'tool' | 'startedAt' | 'outcome' | 'thought'>;

class ToolCallOfProgram {
  constructor(
    private readonly state: CodeState,
    private readonly named: CallAt,
    private readonly asked: SandboxCall,
    private readonly at: CallPlace,
    private readonly callable: Callable | undefined,
  ) {}

  *made(): Steps<Over> {
    if (!this.state.input.hooks?.onBeforeTool) return yield* this.#called(this.asked.input, this.at.unit);
    yield* this.at.turn();
    const answer = yield* this.#heeded('before', 'onBeforeTool');
    const stopped = this.#stoppedBy(answer);
    if (stopped) return stopped;
    const input = answer && 'object' in answer ? ownMember(answer.object, 'input') : undefined;
    const isAsAsked = input === undefined || (input === null && this.state.version < 3);
    return yield* this.#called(
      isAsAsked ? this.asked.input : input,
      new UnitAllowance('reply', this.state.facts),
    );
  }

  *#called(input: Json, unit: UnitAllowance): Steps<Over> {
    const { callable } = this;
    const toolId = callable?.tool.toolId ?? this.asked.tool;
    const asked = { ...this.named, toolId, argumentsText: argumentsText(input, callable) };
    const begun = beginToolCall(asked, callable?.tool, unit);
    if (begun.phase.at === 'rejecting') this.at.passes();
    const { last, failed: _, ...tool } = yield* toolCalled(begun, this.at.turn);
    const known = { tool, ...(last?.opening && { startedAt: last.opening.occurredAt }) };
    const result = resultOf(tool);
    if (!result?.success) return { ...known, outcome: toolFailure(begun, result?.message ?? '') };
    const { version } = this.state;
    const thought = version > 1 && isJsonObject(result.data) ? thoughtIn(result.data, version) : undefined;
    if (thought) return { ...known, ...thinking(thought) };
    const { type, data } = last?.event ?? {};
    const stepId = type === 'ToolCallCompleted' ? (data as ToolCallCompleted['data']).stepId : undefined;
    return { ...known, ...(yield* this.#found(tool, result.data, foundIn(result.data, stepId))) };
  }

  /** The result, unless the hook after the call gives another one, or the result does not fit the tool's output schema. */
  *#found(tool: ToolCallState, data: Json | undefined, found: CallOutcome): Steps<Over> {
    const more = { input: tool.arguments, output: data ?? null };
    const answer = yield* this.#heeded('after', 'onAfterTool', more);
    const stopped = this.#stoppedBy(answer);
    if (stopped) return stopped;
    const output = answer && 'object' in answer ? ownMember(answer.object, 'output') : undefined;
    if (output === undefined) return { outcome: this.#checked(data, found) };
    return { outcome: this.#checked(output, { value: output }) };
  }

  #heeded(
    when: 'before' | 'after',
    name: 'onBeforeTool' | 'onAfterTool',
    more: JsonObject = {},
  ): Steps<HookAnswer | undefined> {
    const { callId, place } = this.named;
    const { tool, input } = this.asked;
    const given = { iteration: indexOf(this.state), callId, tool, input, ...more };
    return heeded(this.state, name, `${place}-${when}`, given);
  }

  #stoppedBy(answer: HookAnswer | undefined): Over | undefined {
    if (!answer) return undefined;
    if ('refused' in answer) return { outcome: failure(answer.refused, 'hook-refused') };
    const thought = thoughtIn(answer.object, this.state.version);
    return thought && thinking(thought);
  }

  #checked(data: Json | undefined, found: CallOutcome): CallOutcome {
    const schema = this.callable?.tool.result;
    const { errors, count } = schema === undefined ? NO_ERRORS : checkValue(schema, data ?? null);
    if (count === 0) return this.#registers(data) ? { ...found, registers: true } : found;
    const problem = `Tool ${this.asked.tool} returned invalid output: ${errorsText(errors)}`;
    return failure(problem, 'invalid-output');
  }

  /** Since version 2: in a run with citations, the `sources` of a tool's result are sources that texts may cite. */
  #registers(data: Json | undefined): boolean {
    const { version, input } = this.state;
    if (version < 2 || input.citations === undefined || !isJsonObject(data)) return false;
    return Array.isArray(ownMember(data, 'sources'));
  }
}

const NO_ERRORS = { errors: [], count: 0 } as const;

function thinking(thought: Thought) {
  return { thought, outcome: failure(thought.reason, 'think') };
}

/** The outcome, as a reference to the step of the call, or as the value that a person gave. */
function foundIn(result: Json | undefined, stepId: string | undefined): CallOutcome {
  if (stepId !== undefined) return { result: stepId, sha256: sha256(jsonText(result ?? null)) };
  return result === undefined ? {} : { value: result };
}

function toolFailure({ toolId, tool, phase }: ToolCallState, message: string): CallFailure {
  const isInput = tool !== undefined && phase.at === 'rejecting' && message.startsWith('The arguments ');
  if (isInput) return failure(`Tool ${toolId} received invalid input: ${message}`, 'invalid-input');
  return failure(message, 'tool-failed');
}

function failure(error: string, code: CodeError): CallFailure {
  return { error, code };
}
