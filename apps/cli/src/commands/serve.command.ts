import type { Command } from 'commander';
import { loadPart } from '#lib/kernel';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addServe(program: Command, io: Io): void {
  program
    .command('serve')
    .description('run the HTTP server (PORT, HOST, REDIAL_API_TOKEN) until a signal comes')
    .action(async (_options: unknown, command: Command) => {
      const { serve } = await loadPart('the HTTP server', () => import('./serve.js'));
      await serve(command.optsWithGlobals<GlobalOptions>(), io);
    });
}
