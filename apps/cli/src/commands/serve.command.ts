import type { Command } from 'commander';
import { readEnvironment } from '#lib/engine';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addServe(program: Command, io: Io): void {
  program
    .command('serve')
    .description('run the HTTP server (PORT, HOST, REDIAL_API_TOKEN) until a signal comes')
    .action(async (_options: unknown, command: Command) => {
      await serve(command.optsWithGlobals<GlobalOptions>(), io);
    });
}

async function serve({ dataDir, json }: GlobalOptions, { out, untilStopped }: Io): Promise<void> {
  const given = dataDir === undefined ? {} : { REDIAL_DATA_DIR: dataDir };
  const environment = readEnvironment({ ...process.env, ...given });
  // Only here: no other command needs what a server is made of.
  const { startServer } = await import('../../../server/src/start-server.js');
  const { app, url } = await startServer(environment);
  out.write(json ? `${JSON.stringify({ url })}\n` : `Redial listening on ${url}\n`);
  await untilStopped();
  await app.close();
}
