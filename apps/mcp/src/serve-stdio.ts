import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Redial } from '#lib/engine';
import { createMcpServer } from './create-mcp-server.js';

/** Where the client is: lines of JSON come in and go out. */
export interface Stdio {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** Speaks MCP on standard input and output until `stopped` resolves or the client hangs up. */
export async function serveStdio(
  redial: Redial,
  version: string,
  stopped: Promise<unknown>,
  { stdin, stdout }: Stdio = process,
): Promise<void> {
  const server = createMcpServer(redial, version);
  const hungUp = new Promise<void>((resolve) => stdin.once('close', resolve).once('end', resolve));
  await server.connect(new StdioServerTransport(stdin, stdout));
  await Promise.race([stopped, hungUp]);
  await server.close();
}
