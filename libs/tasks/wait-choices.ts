import { isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';
import { APPROVAL, type JsonSchema, type SignalAwaited } from '#lib/workflow';
import type { TaskAnswerBody } from './task.family.js';
import type { TaskChoiceView } from './tasks.views.js';

const beside: JsonObject = {
  digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  reason: { type: 'string' },
  version: { type: 'integer', minimum: 1 },
};

/** The closed JSON Schema of the body that makes a choice. @param needed besides the choice itself */
export function closedChoice(choice: string, members: JsonObject, needed: readonly string[]): JsonObject {
  return {
    type: 'object',
    properties: { choice: { const: choice }, ...members, ...beside },
    required: ['choice', ...needed],
    additionalProperties: false,
  };
}

/** The ways to answer a wait of a run. */
export function waitChoices({
  signal,
  schema,
}: Pick<SignalAwaited['data'], 'signal' | 'schema'>): readonly TaskChoiceView[] {
  if (signal !== APPROVAL)
    return [{ choice: 'answer', schema: closedChoice('answer', { payload: schema ?? true }, ['payload']) }];
  const approve = closedChoice('approve', membersIn(schema, 'arguments'), []);
  const reject = closedChoice('reject', membersIn(schema, 'result'), []);
  return [
    { choice: 'approve', schema: approve },
    { choice: 'reject', schema: reject },
  ];
}

/** The payload of the signal for an answer, with its reason if the schema has a place for one. */
export function payloadOf(
  { choice, payload = null, arguments: changed, result, reason }: TaskAnswerBody,
  schema: JsonSchema | undefined,
): { readonly payload: Json; readonly reason?: string } {
  const beside = reason === undefined ? {} : { reason };
  if (choice === 'answer') return { payload, ...beside };
  const isSaid = Object.keys(membersIn(schema, 'reason')).length > 0;
  const said = {
    approved: choice === 'approve',
    ...(choice === 'approve' && changed && { arguments: changed }),
    ...(choice === 'reject' && result !== undefined && { result }),
    ...(isSaid && beside),
  };
  return { payload: said, ...(!isSaid && beside) };
}

/** This member, if the payload may have it. */
function membersIn(schema: JsonSchema | undefined, name: string): JsonObject {
  const properties = isJsonObject(schema) ? ownMember(schema, 'properties') : undefined;
  const member = isJsonObject(properties) ? ownMember(properties, name) : undefined;
  return member === undefined ? {} : { [name]: member };
}
