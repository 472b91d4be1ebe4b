import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Connection } from './connection.js';
import { createMcpServer } from './create-mcp-server.js';
import type { CallOperation } from './tool-calls.js';

/** The client's streams: lines of JSON in and out. A line is at most 10 MiB; a longer one ends the connection. */
interface Stdio {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** Speaks MCP on standard input and output until `stopped` resolves or the client closes them. */
export async function serveStdio(
  callOperation: CallOperation,
  version: string,
  connection: Connection,
  stopped: Promise<unknown>,
  { stdin, stdout }: Stdio = process,
): Promise<void> {
  const server = createMcpServer(callOperation, version, connection);
  const hungUp = new Promise<void>((resolve) => {
    stdin.once('close', resolve).once('end', resolve);
    Object.assign(server, { onclose: resolve });
  });
  const transport = new StdioServerTransport(stdin, stdout);
  const onerror = (error: Error) => {
    const answer = malformedAnswer(error);
    if (answer) stdout.write(`${JSON.stringify(answer)}\n`);
  };
  Object.assign(transport, { onerror });
  await server.connect(transport);
  await Promise.race([stopped, hungUp]);
  await server.close();
}

/** The answer to a line that is not JSON-RPC, which the SDK leaves unanswered; `undefined` for errors of the streams. */
function malformedAnswer(error: Error) {
  const code = errorCode(error);
  const message = code === ErrorCode.ParseError ? 'Parse error' : 'Invalid Request';
  return code && { jsonrpc: '2.0', id: null, error: { code, message } };
}

function errorCode(error: Error): ErrorCode | undefined {
  if (error instanceof SyntaxError) return ErrorCode.ParseError;
  return error instanceof z.ZodError ? ErrorCode.InvalidRequest : undefined;
}
