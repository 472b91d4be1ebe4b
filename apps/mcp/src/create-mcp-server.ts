import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { CallOptions, Redial } from '#lib/engine';
import { jsonText, RedialError } from '#lib/kernel';
import { callInputs } from './inputs.js';
import type { Tool } from './tool.js';
import { tools } from './tools/tools.js';

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
    if (!(error instanceof RedialError)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}
