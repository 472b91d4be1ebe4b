import { IsString, Matches, MaxLength } from 'class-validator';
import { peopleSchema } from '#lib/candidates';
import { CONVERSATION_PARTS, type ConversationPart, type ToolExecution } from '#lib/call-rules';
import { closedSchema as closed } from '#lib/json-schema';
import type { JsonObject, Rejection } from '#lib/kernel';
import { is, view } from '#lib/operations';
import type { ToolPolicy } from './tools.events.js';

const TOOL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** @param unknown the rejection for the id of a path: no tool has an id of another form */
export function IsToolId(unknown?: (id: string) => Rejection): PropertyDecorator {
  const message = 'must be 1 to 64 letters, digits, underscores or hyphens';
  return Matches(TOOL_ID, { message, context: { unknown } });
}

const flag = (description: string): JsonObject => ({ type: 'boolean', description, default: false });
const text = { type: 'string', minLength: 1, maxLength: 2_048 };

/** The JSON Schema of `needsApproval`: a boolean of an older client, or the people who allow calls, and the calls. */
const approvalSchema: JsonObject = {
  ...peopleSchema,
  description: 'True if people allow each call; or the calls that people allow, and the people',
  type: ['boolean', 'object'],
  properties: {
    ...(peopleSchema['properties'] as JsonObject),
    if: {
      type: 'string',
      maxLength: 2_048,
      description:
        'An expression over `args`: only calls for which it is not false. One that fails counts as true',
    },
  },
  default: false,
};

/** The JSON Schema of a `ToolPolicy`. */
export const policySchema: JsonObject = {
  type: 'object',
  properties: {
    readOnly: flag('A call changes nothing'),
    idempotent: flag('Two calls with the same callId have the effect of one'),
    destructive: flag('A call removes or overwrites data'),
    needsApproval: approvalSchema,
    concurrencySafe: flag('Calls may run at the same time as their neighbours'),
    timeoutMs: {
      type: 'integer',
      description: 'Milliseconds for one call',
      minimum: 1,
      maximum: 3_600_000,
      default: 30_000,
    },
    maxAttempts: { type: 'integer', description: 'The most calls', minimum: 1, maximum: 10, default: 1 },
    maxResultChars: {
      type: 'integer',
      description: 'The most characters of a result that a model gets',
      minimum: 1,
    },
  },
  additionalProperties: false,
};

/** The JSON Schema of a `ToolExecution`. */
export const executionSchema: JsonObject = {
  type: 'object',
  oneOf: [
    closed({ webhookUrl: text, webhookTokenName: text }, ['webhookUrl']),
    closed({ fnName: text }, ['fnName']),
    closed({ mcpServer: text, tool: text }, ['mcpServer', 'tool']),
  ],
};

/** The JSON Schema of the members of a conversation that a webhook gets. */
export const sendsSchema: JsonObject = {
  type: 'array',
  items: { enum: [...CONVERSATION_PARTS] },
  uniqueItems: true,
};

/** A version of a tool, in the form for the doors. */
export class ToolView extends view({
  toolId: is.form<string>(IsToolId()),
  version: is.whole(1),
  description: is.form<string>(IsString(), MaxLength(16_384)),
  parameters: is.object().about('JSON Schema of the arguments'),
  result: is.object().optional.about('JSON Schema of the result'),
  execution: is.fitting<ToolExecution>(executionSchema),
  policy: is.fitting<ToolPolicy>(policySchema),
  sends: is
    .fitting<readonly ConversationPart[]>(sendsSchema)
    .optional.about('The members of a conversation that the webhook gets besides the arguments'),
  createdAt: is.time,
}) {}
