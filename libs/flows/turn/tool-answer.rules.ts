import { type AskedCall, isLongArguments, parseReplyObject, type ToolResult } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject, jsonText, ownMember, present } from '#lib/kernel';
import { resultText, shownResult } from '#lib/runs/tools/core';
import type { Emitted } from './directive.rules.js';
import { readDirective } from './read-directive.rules.js';
import type { ToolAnswer, ToolAsk } from './asks.js';
import type { TurnDraft } from './turn-draft.rules.js';
import type { CalledTool } from './turn-result.js';

/** A call of the model, and its result. */
export interface CalledOne {
  readonly asked: AskedCall;
  readonly ask: ToolAsk;
  readonly answer: ToolAnswer;
}

/** Members of a result that change the course of the conversation. */
const DIRECTING = ['directive', 'dataUpdate', 'contextUpdate'] as const;
/** The members of a result that are not for the model. */
const CONTROL: readonly string[] = [...DIRECTING, 'success', 'error', 'meta'];
const FAILED = 'The tool failed.';

/** A tool may report its own failure: `{ success: false, error? }`. */
function saysItFailed({ success, ...result }: ToolResult): boolean {
  const data = 'data' in result ? result.data : undefined;
  return success && isJsonObject(data) && data['success'] === false;
}

/** A result in which the tool reports its own failure becomes a failure, with the tool's message. */
export function ownFailure(result: ToolResult): ToolResult {
  return saysItFailed(result) ? { success: false, message: ownError(result) } : result;
}

function ownError(result: ToolResult): string {
  const data = result.success && isJsonObject(result.data) ? result.data : {};
  const { error } = data;
  const message = isJsonObject(error) ? error['message'] : error;
  return typeof message === 'string' && message !== '' ? message : FAILED;
}

/** The call as recorded in the turn's result. */
export function calledTool({
  ask: { callId, toolId, argumentsText },
  answer: { result, changed },
}: CalledOne): CalledTool {
  const given = changed ?? (isLongArguments(argumentsText) ? undefined : parseReplyObject(argumentsText));
  const isShown = given !== undefined && !isLongArguments(changed ? jsonText(changed) : argumentsText);
  const status = !result.success || saysItFailed(result) ? 'failed' : 'completed';
  return {
    callId,
    toolId,
    ...(isShown && { arguments: given }),
    ...(changed && { argumentsChanged: true }),
    status,
  };
}

/** The message for the model, at most as long as the tool and the agent's compaction allow. */
export function toolMessage(turn: TurnDraft, { asked, ask: { tool }, answer }: CalledOne): Json {
  const { maxToolResultChars = Infinity } = turn.agent.compaction ?? {};
  const maxResultChars = Math.min(tool?.policy.maxResultChars ?? Infinity, maxToolResultChars);
  const policy = { ...tool?.policy, ...(maxResultChars < Infinity && { maxResultChars }) };
  const own = turn.version === 1 ? wholeResult(answer.result) : modelResult(answer.result);
  const shown = tool ? shownResult(own, { ...tool, policy }) : own;
  const success = shown.success && !saysItFailed(answer.result);
  const content = resultText({ ...shown, success }, answer.changed);
  return { role: 'tool', tool_call_id: asked.id, content };
}

/** Version 1 shows the model all members. */
function wholeResult(result: ToolResult): ToolResult {
  return saysItFailed(result) ? { ...result, message: FAILED } : result;
}

/** The result without members that direct the turn: its `data` if present, else the remaining members. */
function modelResult(result: ToolResult): ToolResult {
  if (!result.success || !isJsonObject(result.data)) return result;
  const whole = result.data;
  const hasFailed = saysItFailed(result);
  if (!hasFailed && !isDirecting(whole)) return result;
  const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => !CONTROL.includes(name)));
  const data = ownMember(whole, 'data') ?? (Object.keys(rest).length > 0 ? rest : undefined);
  const message = hasFailed ? ownError(result) : result.message;
  return { success: true, message, ...(data !== undefined && { data }) };
}

function isDirecting(data: JsonObject): boolean {
  return DIRECTING.some((name) => data[name] !== undefined);
}

/** The directive in a result. A directive of the wrong shape is recorded as refused. */
export function emittedBy(
  turn: TurnDraft,
  { ask: { toolId }, answer: { result } }: CalledOne,
): readonly Emitted[] {
  const data = result.success ? result.data : undefined;
  if (!isJsonObject(data) || !isDirecting(data)) return [];
  const { directive = {}, dataUpdate, contextUpdate } = data;
  const source = `tool ${toolId}`;
  const whole = {
    ...(isJsonObject(directive) ? directive : { goTo: directive }),
    ...present({ dataUpdate, contextUpdate }),
  };
  const read = readDirective(turn, source, whole);
  if ('directive' in read) return [{ source, directive: read.directive }];
  turn.refuse(source, read.refused);
  return [];
}
