import { type Command, Option } from 'commander';
import { type Profile, profiles } from '../../../mcp/src/profiles.js';
import type { Io } from '../io.js';
import type { GlobalOptions } from './global-options.js';

export interface McpOptions extends GlobalOptions {
  readonly http?: true;
  readonly profile?: Profile;
}

export function addMcp(program: Command, io: Io): void {
  program
    .command('mcp')
    .description('serve the tools of Redial to a model over MCP: on standard input and output, or over HTTP')
    .option('--http', 'streamable HTTP at /mcp (PORT, HOST, REDIAL_API_TOKEN) until a signal comes')
    .addOption(
      new Option(
        '--profile <profile>',
        'what the model may do (REDIAL_MCP_PROFILE, else observe): read; take part where no person is waited for; everything',
      ).choices(profiles),
    )
    .addHelpText('after', '\nOn standard input and output REDIAL_ACTOR_TOKEN names the person who acts.')
    .action(async (_options: unknown, command: Command) => {
      const { serveMcp } = await import('./mcp.js');
      await serveMcp(command.optsWithGlobals<McpOptions>(), io);
    });
}
