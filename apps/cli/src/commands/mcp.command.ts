import type { Command } from 'commander';
import { readEnvironment, type Redial } from '#lib/engine';
import { withEngine } from '../engine/with-engine.js';
import type { Io } from '../io.js';
import { packageVersion } from '../package-root.js';
import type { GlobalOptions } from './global-options.js';

interface McpOptions {
  readonly http?: boolean;
}

export function addMcp(program: Command, io: Io): void {
  program
    .command('mcp')
    .description('serve the tools of Redial to a model over MCP: on standard input and output, or over HTTP')
    .option('--http', 'streamable HTTP at /mcp (PORT, HOST, REDIAL_API_TOKEN) until a signal comes')
    .action(async ({ http = false }: McpOptions, command: Command) => {
      const { dataDir } = command.optsWithGlobals<GlobalOptions>();
      await withEngine(dataDir === undefined ? {} : { dataDir }, io.err, ({ redial }) =>
        http ? overHttp(redial, io) : overStdio(redial, io),
      );
    });
}

// Only in these: no other command needs what an MCP server is made of.
async function overStdio(redial: Redial, { untilStopped }: Io): Promise<void> {
  const { serveStdio } = await import('../../../mcp/src/serve-stdio.js');
  await serveStdio(redial, packageVersion(), untilStopped());
}

async function overHttp(redial: Redial, { out, untilStopped }: Io): Promise<void> {
  const { serveHttp } = await import('../../../mcp/src/serve-http.js');
  const { url, stop } = await serveHttp(redial, packageVersion(), readEnvironment(process.env));
  out.write(`Redial speaks MCP on ${url}\n`);
  await untilStopped();
  await stop();
}
