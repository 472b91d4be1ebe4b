import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
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
import type { CallOperation } from './tool-calls.js';

type Arguments = Readonly<Record<string, unknown>>;

/** A tool as the client sees it, and what a call of it does. */
interface Served {
  readonly listed: ListedTool;
  /** It writes nothing. */
  readonly isQuery: boolean;
  call(given: Arguments, connection: Connection): Promise<unknown>;
}

/**
 * An MCP server with the tools that the profile of its connection offers. Arguments that a tool does not have are refused.
 * @param answers of a connection that is one of many
 */
export function createMcpServer(
  callOperation: CallOperation,
  version: string,
  connection: Connection,
  answers?: HeldAnswers,
): Server {
  const offered = operations
    .filter((one) => isOffered(connection, one))
    .map((one) => toolOf(callOperation, one));
  const served = new Map(offered.map((tool) => [tool.listed.name, tool]));
  const server = new Server({ name: 'redial', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(({ listed }) => listed) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) =>
    answered(async (reading) => {
      const tool = served.get(name) ?? unknownTool(name, connection);
      const rendered = renderAnswer(
        await tool.call(given, connection),
        tool.listed.outputSchema !== undefined,
      );
      if (reading) await hold(reading, rendered, tool.isQuery);
      return rendered;
    }, answers),
  );
  return server;
}

function isOffered({ profile }: Connection, { mcp }: Operation): boolean {
  return mcp !== undefined && profiles.indexOf(profile) >= profiles.indexOf(mcp);
}

function toolOf(callOperation: CallOperation, operation: Operation): Served {
  return {
    listed: mcpToolOf(operation) as ListedTool,
    isQuery: operation.kind === 'query',
    call: async (given, connection) => {
      const [input, key] = operation.kind === 'command' ? keyed(given) : [given, {}];
      refuseUnbound(connection, operation, input);
      return callOperation(operation, input, { ...key, ...trustOf(connection) });
    },
  };
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

/** An answer is sent as text, and with a schema once more as structure. A command has been carried out: its answer does not wait. */
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
