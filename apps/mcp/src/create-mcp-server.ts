import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Redial } from '#lib/engine';
import { type Connection, trustOf } from './connection.js';
import { callInputs } from './inputs.js';
import { isDestructive, offers, onlyReads } from './profiles.js';
import { renderAnswer, renderError } from './render-answer.js';
import type { Tool } from './tool.js';
import { tools } from './tools/tools.js';

/** An MCP server with the tools that the profile of its connection offers. Arguments that a tool does not have are refused. */
export function createMcpServer(redial: Redial, version: string, connection: Connection): McpServer {
  const server = new McpServer({ name: 'redial', version });
  for (const tool of tools.filter(({ name }) => offers(connection.profile, name))) {
    const readOnlyHint = onlyReads(tool.name);
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: z.strictObject(readOnlyHint ? tool.input : { ...tool.input, ...callInputs }),
        annotations: {
          readOnlyHint,
          destructiveHint: isDestructive(tool.name),
          openWorldHint: !readOnlyHint,
        },
      },
      (input) => answer(redial, tool, input, connection),
    );
  }
  return server;
}

async function answer(
  redial: Redial,
  tool: Tool,
  { idempotencyKey, ...input }: { readonly [name: string]: unknown },
  connection: Connection,
): Promise<CallToolResult> {
  const key = typeof idempotencyKey === 'string' && { idempotencyKey };
  try {
    return renderAnswer(await tool.run(redial, input, { ...key, ...trustOf(connection) }));
  } catch (error) {
    return renderError(error);
  }
}
