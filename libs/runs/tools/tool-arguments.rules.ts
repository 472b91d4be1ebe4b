import { type AskedIn, excerpt, parseReplyObject, type ToolConversation } from '#lib/call-rules';
import { checkValue, errorsText } from '#lib/json-schema';
import { type JsonObject, jsonText, unstorableValue } from '#lib/kernel';
import type { UnitAllowance } from '#lib/workflow';
import type { CallAt } from './call-at.rules.js';
import type { ToolRegistered } from './tools.events.js';

/** A tool in the version that a run began with. */
export type ToolFact = ToolRegistered['data'] & {
  /** The person who started the run may not allow a call, but no person started it. A call that needs an approval fails. */
  readonly creatorUnknown?: true;
};

/** A call that a model asks for. */
export interface ToolCallAsked extends Pick<CallAt, 'callId'>, Partial<Omit<CallAt, 'callId'>> {
  readonly toolId: string;
  /** The arguments as the model wrote them. */
  readonly argumentsText: string;
  /** The reply that holds the arguments: long ones are recorded by reference to it. */
  readonly argumentsFrom?: AskedIn;
  readonly conversation?: ToolConversation;
}

/** The reason why a call gave no result. */
export interface ToolCallError {
  readonly kind: string;
  readonly message: string;
}

/** The arguments of a call. An empty text means no arguments, for a tool that needs none; until version 2 it was refused. */
export function argumentsIn(
  { argumentsText, version = 1 }: ToolCallAsked,
  tool: ToolFact | undefined,
  unit: UnitAllowance,
): JsonObject | undefined {
  const isEmpty = version > 1 && argumentsText.trim() === '';
  return isEmpty && tool && checkValue(tool.parameters, {}, unit).count === 0
    ? {}
    : parseReplyObject(argumentsText);
}

/** The reason why a call is rejected; `undefined` if its arguments fit. */
export function argumentsProblem(
  { toolId, argumentsText, version = 1 }: ToolCallAsked,
  given: JsonObject | undefined,
  tool: ToolFact | undefined,
  unit: UnitAllowance,
): ToolCallError | undefined {
  if (!tool) return { kind: 'unknown-tool', message: `There is no tool ${jsonText(toolId)}.` };
  if (!given) {
    const shown = version === 1 ? '.' : `: ${excerpt(argumentsText)}`;
    return { kind: 'invalid-arguments', message: `The arguments are not a JSON object${shown}` };
  }
  if (unstorableValue(given) !== undefined)
    return { kind: 'invalid-arguments', message: 'The arguments hold a number that JSON cannot hold.' };
  const { errors, count } = checkValue(tool.parameters, given, unit);
  if (count === 0) return undefined;
  return {
    kind: 'invalid-arguments',
    message: `The arguments do not fit the parameters: ${errorsText(errors)}`,
  };
}
