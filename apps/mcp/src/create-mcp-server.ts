import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { CommandOptions } from '#lib/operations/core';
import { operations } from '#lib/engine';
import { malformed, mcpToolOf, type Operation, refuse } from '#lib/operations';
import { refuseUnbound } from './bound-specialists.js';
import { type Connection, trustOf } from './connection.js';
import { profiles } from './profiles.js';
import { renderAnswer, renderError } from './render-answer.js';
import type { CallOperation } from './tool-calls.js';

type Arguments = Readonly<Record<string, unknown>>;

/** A tool as the client sees it, and what a call of it does. */
interface Served {
  readonly listed: ListedTool;
  call(given: Arguments, connection: Connection): Promise<unknown>;
}

/** An MCP server with the tools that the profile of its connection offers. Arguments that a tool does not have are refused. */
export function createMcpServer(
  callOperation: CallOperation,
  version: string,
  connection: Connection,
): Server {
  const offered = operations
    .filter((one) => isOffered(connection, one))
    .map((one) => toolOf(callOperation, one));
  const served = new Map(offered.map((tool) => [tool.listed.name, tool]));
  const server = new Server({ name: 'redial', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(({ listed }) => listed) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) =>
    answer(name, served.get(name), given, connection),
  );
  return server;
}

function isOffered({ profile }: Connection, { mcp }: Operation): boolean {
  return mcp !== undefined && profiles.indexOf(profile) >= profiles.indexOf(mcp);
}

function toolOf(callOperation: CallOperation, operation: Operation): Served {
  return {
    listed: mcpToolOf(operation) as ListedTool,
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

async function answer(
  name: string,
  tool: Served | undefined,
  given: Arguments,
  connection: Connection,
): Promise<CallToolResult> {
  try {
    const problem = { path: '/name', message: `${name} is not a tool of the profile ${connection.profile}` };
    if (!tool) return refuse(malformed([problem], 'the call'));
    const value = await tool.call(given, connection);
    return renderAnswer(value, tool.listed.outputSchema !== undefined);
  } catch (error) {
    return renderError(error);
  }
}
