import { type Command, Option } from 'commander';
import { type Environment, InvalidSetting, readEnvironment } from '#lib/engine';
import { type Profile, profiles } from '../../../mcp/src/profiles.js';
import { type Engine, withEngine } from '../engine/with-engine.js';
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
  const environment = readEnvironment(process.env);
  const actorToken = process.env['REDIAL_ACTOR_TOKEN'] || undefined;
  const { REDIAL_API_TOKEN: apiToken } = environment;
  const options = {
    ...(dataDir !== undefined && { dataDir }),
    ...(apiToken !== undefined && { apiToken }),
    secrets: [apiToken, actorToken].filter((secret) => secret !== undefined),
  };
  await withEngine(options, io.err, (engine) =>
    http ? overHttp(engine, profile, environment, io) : overStdio(engine, profile, actorToken, io),
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
  { redial }: Engine,
  profile: Profile,
  actorToken: string | undefined,
  { untilStopped }: Io,
): Promise<void> {
  const { serveStdio } = await import('../../../mcp/src/serve-stdio.js');
  const connection = { profile, ...(actorToken !== undefined && { actorToken }) };
  await serveStdio(redial, packageVersion(), connection, untilStopped());
}

async function overHttp(
  { redial, access }: Engine,
  profile: Profile,
  environment: Environment,
  { out, untilStopped }: Io,
): Promise<void> {
  const { serveHttp } = await import('../../../mcp/src/serve-http.js');
  const service = { redial, access, version: packageVersion(), profile };
  const { url, stop } = await serveHttp(service, environment);
  out.write(`Redial speaks MCP on ${url}\n`);
  await untilStopped();
  await stop();
}
