import type { Command } from 'commander';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export function addValidate(program: Command, io: Io): void {
  program
    .command('validate')
    .description('check a machine file, without a log and without defining it; 2 where it is not valid')
    .argument('<machine.json>')
    .action(async (file: string, _options: unknown, command: Command) => {
      const { validate } = await import('./validate.js');
      await validate(file, command.optsWithGlobals<GlobalOptions>().json, io);
    });
}
