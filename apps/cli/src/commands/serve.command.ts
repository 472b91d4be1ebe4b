import type { Command } from 'commander';
import type { Io } from '../io.js';

export function addServe(program: Command, _io: Io): void {
  program.command('serve').description('run the HTTP server');
}
