import type { ClientOptions } from '#lib/client';
import {
  type Environment,
  InvalidSetting,
  readEnvironment,
  type RedialOptions,
  withOptions,
} from '#lib/engine/core';
import { engineVersion, loadPart, present } from '#lib/kernel';
import type { Connection } from '../../../mcp/src/connection.js';
import { type Profile, profiles } from '../../../mcp/src/profiles.js';
import { type Engine, withEngine } from '../engine/with-engine.js';
import { withFolderForRows } from '../engine/with-history.js';
import { InvalidInput } from '../error-classes.js';
import { isHistoryFile } from '../input/history-file.js';
import { importedOptions } from '../input/imported-options.js';
import { namedServer, shownUrl } from '../input/named-server.js';
import type { GlobalOptions } from '../input/options.js';
import type { Io } from '../io.js';

/** HTTP, until a signal comes. */
export function serve(options: GlobalOptions, io: Io): Promise<void> {
  return serveOver({}, 'Redial listening on', options, io);
}

/** The console and its API on loopback, of a data folder or of a history file, until a signal comes. */
export function serveConsole(options: GlobalOptions, io: Io, file?: string): Promise<void> {
  const { PORT = '0' } = process.env;
  const variables = { HOST: '127.0.0.1', PORT, REDIAL_CONSOLE: 'on' };
  const words = 'The console is at';
  if (file === undefined) return serveOver(variables, words, options, io);
  if (!isHistoryFile(file)) {
    const fix = 'Name a file that ends with .jsonl, or a folder with --data-dir';
    throw new InvalidInput(`redial console ${file}`, 'it takes a history file', fix);
  }
  return withFolderForRows(file, (history) =>
    listen(readEnvironment(variables), history, words, options, io),
  );
}

function serveOver(
  variables: NodeJS.ProcessEnv,
  words: string,
  options: GlobalOptions,
  io: Io,
): Promise<void> {
  const { dataDir } = options;
  const given = dataDir === undefined ? {} : { dataDir };
  return listen(readEnvironment({ ...process.env, ...variables }), given, words, options, io);
}

async function listen(
  environment: Environment,
  engine: RedialOptions,
  words: string,
  { json }: GlobalOptions,
  { out, untilStopped }: Io,
): Promise<void> {
  const { startServer } = await loadPart(
    'the HTTP server',
    () => import('../../../server/src/start-server.js'),
  );
  const { app, url } = await startServer(environment, withOptions(importedOptions() ?? {}, engine));
  out.write(json ? `${JSON.stringify({ url })}\n` : `${words} ${url}\n`);
  await untilStopped();
  await app.close();
}

interface McpOptions extends GlobalOptions {
  readonly http?: true;
  readonly profile?: Profile;
  readonly as?: readonly string[];
  readonly tools?: string;
  readonly outputSchemas?: boolean;
}

/** The most that a connection may do, and the tools that it is shown. */
type Rights = Omit<Connection, 'actor' | 'actorToken'>;

/** Serves MCP until a signal comes or the client closes the connection. */
export async function serveMcp(
  { dataDir, http, profile = profileSetting(), as = [], tools, outputSchemas = false }: McpOptions,
  io: Io,
): Promise<void> {
  const groups = await groupsIn(tools);
  const rights = { profile, as, groups, outputSchemas };
  const server = namedServer(dataDir === undefined ? {} : { dataDir });
  if (server) return ofServer(server, rights, http, io);
  const environment = readEnvironment(process.env);
  const actorToken = process.env['REDIAL_ACTOR_TOKEN'] || undefined;
  const { REDIAL_API_TOKEN: apiToken } = environment;
  const options = present({ dataDir, apiToken });
  await withEngine(options, io.err, (engine) =>
    http ? overHttp(engine, rights, environment, io) : overStdio(engine, rights, actorToken, io),
  );
}

async function groupsIn(tools: string | undefined): Promise<readonly string[]> {
  if (tools === undefined) return [];
  const { readToolGroups } = await loadPart('MCP', () => import('../../../mcp/src/tool-groups.js'));
  return readToolGroups(tools);
}

function profileSetting(): Profile {
  const setting = process.env['REDIAL_MCP_PROFILE'] || 'observe';
  const profile = profiles.find((one) => one === setting);
  if (profile !== undefined) return profile;
  const fix = 'Correct or unset it, or use --profile';
  throw new InvalidSetting('REDIAL_MCP_PROFILE', `it is none of ${profiles.join(', ')}`, fix);
}

/** Tools of the server that `REDIAL_URL` names; no engine is started. */
async function ofServer(
  server: ClientOptions,
  rights: Rights,
  http: true | undefined,
  { err, untilStopped }: Io,
): Promise<void> {
  if (http) {
    const why = 'the tools of the server that REDIAL_URL names are served on standard input and output';
    throw new InvalidInput('--http', why, 'Leave one of them out');
  }
  const { serveStdio, callsOfServer } = await loadStdio();
  err.write(`The tools are those of ${shownUrl(server.url)}\n`);
  const { actorToken } = server;
  const connection = { ...rights, ...(actorToken !== undefined && { actorToken }) };
  await serveStdio(callsOfServer(server), engineVersion(), connection, untilStopped());
}

async function overStdio(
  { redial }: Engine,
  rights: Rights,
  actorToken: string | undefined,
  { untilStopped }: Io,
): Promise<void> {
  const { serveStdio, callsOfEngine } = await loadStdio();
  const connection = { ...rights, ...(actorToken !== undefined && { actorToken }) };
  await serveStdio(callsOfEngine(redial), engineVersion(), connection, untilStopped());
}

function loadStdio() {
  return loadPart('MCP', async () => ({
    ...(await import('../../../mcp/src/serve-stdio.js')),
    ...(await import('../../../mcp/src/tool-calls.js')),
  }));
}

async function overHttp(
  { redial, access }: Engine,
  rights: Rights,
  environment: Environment,
  { out, untilStopped }: Io,
): Promise<void> {
  const { serveHttp } = await loadPart('MCP', () => import('../../../mcp/src/serve-http.js'));
  const service = { redial, access, version: engineVersion(), ...rights };
  const { url, stop } = await serveHttp(service, environment);
  out.write(`Redial speaks MCP on ${url}\n`);
  await untilStopped();
  await stop();
}
