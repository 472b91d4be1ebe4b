import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Logger } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type CallOptions, type Redial, RejectionError } from '#lib/engine';
import { explain, jsonText, RedialError } from '#lib/kernel';
import { callInputs } from './inputs.js';
import type { Tool } from './tool.js';
import { tools } from './tools/tools.js';

const logger = new Logger('Mcp');

/**
 * An MCP server with Redial's tools. Answers are the JSON that HTTP answers; what is refused is a tool error with its message.
 * Whoever acts as a human specialist over MCP proves it with that specialist's token: a model may be at the other end.
 */
export function createMcpServer(redial: Redial, version: string): McpServer {
  const server = new McpServer({ name: 'redial', version });
  for (const tool of tools) {
    const { name, description, input, readOnly } = tool;
    const inputSchema = readOnly ? input : { ...input, ...callInputs };
    const annotations = { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: !readOnly };
    server.registerTool(name, { description, inputSchema, annotations }, (given) =>
      answer(redial, tool, given),
    );
  }
  return server;
}

async function answer(
  redial: Redial,
  tool: Tool,
  { idempotencyKey, actorToken, ...input }: { readonly [name: string]: unknown },
): Promise<CallToolResult> {
  const options: CallOptions = {
    ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
    proof: typeof actorToken === 'string' ? { actorToken } : {},
  };
  try {
    return { content: [{ type: 'text', text: jsonText(await tool.run(redial, input, options)) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: messageOf(tool.name, error) }], isError: true };
  }
}

/** What was foreseen is told; what was not is logged under an id, and nobody else's business. */
function messageOf(tool: string, error: unknown): string {
  if (error instanceof RedialError || error instanceof RejectionError) return error.message;
  const errorId = randomUUID();
  logger.error(`${errorId} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const why = 'something went wrong inside Redial';
  return explain('InternalError', `the tool ${tool}`, why, `Look for ${errorId} in the log of the server`);
}
