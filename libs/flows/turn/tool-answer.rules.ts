import { isLongArguments, parseReplyObject, type ToolResult } from '#lib/call-rules';
import { isJsonObject, type Json, type JsonObject, jsonText, ownMember } from '#lib/kernel';
import type { AskedCall } from '#lib/call-rules';
import { resultText, shownResult } from '#lib/runs/tools/core';
import type { Emitted } from './directive.rules.js';
import { readDirective } from './read-directive.rules.js';
import type { ToolAnswer, ToolAsk } from './asks.js';
import type { TurnDraft } from './turn-draft.rules.js';
import type { CalledTool } from './turn-result.js';

/** A call that a model asked for, and its end. */
export interface CalledOne {
  readonly asked: AskedCall;
  readonly ask: ToolAsk;
  readonly answer: ToolAnswer;
}

/** A result with one of these members changes the course. */
const DIRECTING = ['directive', 'dataUpdate', 'contextUpdate'] as const;
/** The members of a result that are not for the model. */
const CONTROL: readonly string[] = [...DIRECTING, 'success', 'error', 'meta'];
const FAILED = 'The tool failed.';

/** A tool may answer itself that it failed: `{ success: false, error? }`. */
function saysItFailed({ success, ...result }: ToolResult): boolean {
  const data = 'data' in result ? result.data : undefined;
  return success && isJsonObject(data) && data['success'] === false;
}

/** A result of which the tool itself says that it failed is a failure, with its own words. */
export function ownFailure(result: ToolResult): ToolResult {
  return saysItFailed(result) ? { success: false, message: ownError(result) } : result;
}

function ownError(result: ToolResult): string {
  const data = result.success && isJsonObject(result.data) ? result.data : {};
  const { error } = data;
  const message = isJsonObject(error) ? error['message'] : error;
  return typeof message === 'string' && message !== '' ? message : FAILED;
}

/** As the record of the turn shows it. */
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

/** As long as the tool allows, and the compaction of the agent. */
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

/** Version 1 shows all members. */
function wholeResult(result: ToolResult): ToolResult {
  return saysItFailed(result) ? { ...result, message: FAILED } : result;
}

/** Without the members that direct the turn: `data` if there is such a member, else what is left. */
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

/** The directive in a result. One of the wrong shape is refused and recorded. */
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
    ...(dataUpdate !== undefined && { dataUpdate }),
    ...(contextUpdate !== undefined && { contextUpdate }),
  };
  const read = readDirective(turn, source, whole);
  if ('directive' in read) return [{ source, directive: read.directive }];
  turn.refuse(source, read.refused);
  return [];
}
