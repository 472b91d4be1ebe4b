import type { Command } from 'commander';
import { TOKEN_HELP, type TokenOption } from '../input/acting-as.js';
import type { MetaOptions } from '../input/read-meta.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export interface ChatOptions extends GlobalOptions, MetaOptions, TokenOption {
  readonly conversation?: string;
}

export function addChat(program: Command, io: Io): void {
  program
    .command('chat')
    .description('talk with an agent, a message for each line; what happens is shown beside it')
    .argument('<agent.json>', 'defined first, in its next version where it has changed')
    .option('--conversation <id>', 'go on with this one')
    .option('--meta <json>', 'the context of the conversation, as a JSON object')
    .option('--meta-file <file>', 'the same, from a file')
    .option('--token <token>', TOKEN_HELP)
    .action(async (file: string, _options: unknown, command: Command) => {
      const { chat } = await import('./chat.js');
      await chat(file, command.optsWithGlobals<ChatOptions>(), io);
    });
}
