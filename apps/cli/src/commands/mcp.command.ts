import { type Command, Option } from 'commander';
import { InvalidSetting, readEnvironment, type Redial } from '#lib/engine';
import { type Profile, profiles } from '../../../mcp/src/profiles.js';
import { withEngine } from '../engine/with-engine.js';
import type { Io } from '../io.js';
import { packageVersion } from '../package-root.js';
import type { GlobalOptions } from './global-options.js';

interface McpOptions extends GlobalOptions {
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
    .action(async (_options: unknown, command: Command) => serve(command.optsWithGlobals<McpOptions>(), io));
}

async function serve({ dataDir, http, profile = profileSetting() }: McpOptions, io: Io): Promise<void> {
  const actorToken = process.env['REDIAL_ACTOR_TOKEN'] || undefined;
  const secrets = actorToken === undefined ? [] : [actorToken];
  await withEngine({ secrets, ...(dataDir !== undefined && { dataDir }) }, io.err, ({ redial }) =>
    http ? overHttp(redial, profile, io) : overStdio(redial, profile, actorToken, io),
  );
}

function profileSetting(): Profile {
  const setting = process.env['REDIAL_MCP_PROFILE'] || 'observe';
  const profile = profiles.find((one) => one === setting);
  if (profile !== undefined) return profile;
  const fix = 'Correct or unset it, or use --profile';
  throw new InvalidSetting('REDIAL_MCP_PROFILE', `it is none of ${profiles.join(', ')}`, fix);
}

// Only in these: no other command needs what an MCP server is made of.
async function overStdio(
  redial: Redial,
  profile: Profile,
  actorToken: string | undefined,
  { untilStopped }: Io,
): Promise<void> {
  const { serveStdio } = await import('../../../mcp/src/serve-stdio.js');
  const connection = { profile, ...(actorToken !== undefined && { actorToken }) };
  await serveStdio(redial, packageVersion(), connection, untilStopped());
}

async function overHttp(redial: Redial, profile: Profile, { out, untilStopped }: Io): Promise<void> {
  const { serveHttp } = await import('../../../mcp/src/serve-http.js');
  const { url, stop } = await serveHttp(redial, packageVersion(), profile, readEnvironment(process.env));
  out.write(`Redial speaks MCP on ${url}\n`);
  await untilStopped();
  await stop();
}
