import type { Command } from 'commander';
import { ID_HELP } from '../input/id-help.js';
import { TOKEN_HELP, type TokenOption } from '../input/acting-as.js';
import type { MetaOptions } from '../input/read-meta.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export interface DecideOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly as: string;
  readonly reasoning?: string;
}

export function addDecide(program: Command, io: Io): void {
  program
    .command('decide')
    .description('decide a round as a person, whatever was proposed')
    .argument('<session>', ID_HELP)
    .argument('<transition>', 'one that the state offers')
    .requiredOption('--as <human>', 'the human specialist who decides')
    .option('--token <token>', TOKEN_HELP)
    .option('--reasoning <text>', 'why')
    .option('--meta <json>', 'what the decision brings along, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .action(async (session: string, transition: string, _options: unknown, command: Command) => {
      const { decide } = await import('./decide.js');
      await decide(session, transition, command.optsWithGlobals<DecideOptions>(), io);
    });
}
