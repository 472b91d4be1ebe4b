import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  RequestSchema,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { Reading } from '#lib/event-store';
import type { CommandOptions } from '#lib/operations/core';
import { operations } from '#lib/engine';
import { malformed, mcpToolOf, type Operation, refuse } from '#lib/operations';
import { refuseUnbound } from './bound-specialists.js';
import { type Connection, trustOf } from './connection.js';
import type { HeldAnswers } from './held-answers.js';
import { profiles } from './profiles.js';
import { renderAnswer, renderError } from './render-answer.js';
import { shortened } from './short-answer.js';
import type { CallOperation } from './tool-calls.js';
import { instructionsFor, isShown } from './tool-groups.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Without params: the server of the SDK checks them before its handler, so that bad ones are refused as invalid params, not as an internal
 * error.
 */
const toolCall = RequestSchema.extend({ method: CallToolRequestSchema.shape.method });

/**
 * An MCP server that calls the tools of its connection's profile, and lists those that the connection is shown. Unknown arguments are
 * refused.
 * @param answers of a connection that is one of many
 */
export function createMcpServer(
  callOperation: CallOperation,
  version: string,
  connection: Connection,
  answers?: HeldAnswers,
): Server {
  const offered = operations.filter((one) => isOffered(connection, one));
  const called = new Map(offered.map((one) => [mcpToolOf(one).name, one]));
  const listed = offered.filter((one) => isShown(connection, one));
  const tools = listed.map((one) => listedTool(one, connection));
  const instructions = instructionsFor(listed);
  const server = new Server({ name: 'redial', version }, { capabilities: { tools: {} }, instructions });
  // The answers to one request are sent together: they would wait for ever for a call that the same request cancels.
  if (answers) server.removeNotificationHandler('notifications/cancelled');
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(toolCall, ({ params }) =>
    answered(async (reading) => {
      const { name, arguments: given = {} } = params as CallToolRequest['params'];
      const operation = called.get(name) ?? unknownTool(name, connection);
      const answer = await call(callOperation, operation, given, connection);
      const rendered = rendering(answer, operation, connection);
      if (reading) await hold(reading, rendered, operation.kind === 'query');
      return rendered;
    }, answers),
  );
  return server;
}

function isOffered({ profile }: Connection, { mcp }: Operation): boolean {
  return mcp !== undefined && profiles.indexOf(profile) >= profiles.indexOf(mcp);
}

/** Three quarters of a tool are the schema of its answer. */
function listedTool(operation: Operation, { outputSchemas = false }: Connection): ListedTool {
  const { outputSchema, ...tool } = mcpToolOf(operation);
  return { ...tool, ...(outputSchemas && outputSchema && { outputSchema }) } as ListedTool;
}

function rendering(
  answer: unknown,
  operation: Operation,
  { outputSchemas = false }: Connection,
): CallToolResult {
  if (outputSchemas) return renderAnswer(answer, mcpToolOf(operation).outputSchema !== undefined);
  return renderAnswer(shortened(answer), false);
}

async function call(
  callOperation: CallOperation,
  operation: Operation,
  given: Arguments,
  connection: Connection,
): Promise<unknown> {
  const [input, key] = operation.kind === 'command' ? keyed(given) : [given, {}];
  refuseUnbound(connection, operation, input);
  return callOperation(operation, input, { ...key, ...trustOf(connection) });
}

/** The arguments of a command without its key, and the key. */
function keyed({ idempotencyKey, ...input }: Arguments): readonly [Arguments, CommandOptions] {
  return [input, idempotencyKey === undefined ? {} : { idempotencyKey: idempotencyKey as string }];
}

function unknownTool(name: string, { profile }: Connection): never {
  const problem = { path: '/name', message: `${name} is not a tool of the profile ${profile}` };
  return refuse(malformed([problem], 'the call'));
}

async function answered(
  answer: (reading?: Reading) => Promise<CallToolResult>,
  answers: HeldAnswers | undefined,
): Promise<CallToolResult> {
  try {
    return await (answers ? answers.run(answer) : answer());
  } catch (error) {
    return renderError(error);
  }
}

/**
 * An answer is sent as text, and with a schema once more as structure. The answer of a command does not wait for room: the command has been
 * carried out.
 */
async function hold(
  reading: Reading,
  { content, structuredContent }: CallToolResult,
  isQuery: boolean,
): Promise<void> {
  const lengths = content.map((part) => (part.type === 'text' ? part.text.length : 0));
  const bytes = lengths.reduce((sum, length) => sum + length, 0) * (structuredContent ? 2 : 1);
  if (isQuery) await reading.becomes(bytes);
  else reading.holds(bytes);
}
