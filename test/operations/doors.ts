import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { temporaryFolder } from '#lib/kernel/testing';
import { callOverHttp } from '#lib/client';
import { Redial } from '#lib/engine';
import { mcpToolOf, type Operation } from '#lib/operations';
import { runCli } from '../../apps/cli/src/run-cli.js';
import { optionName, readCommandWords } from '../../apps/cli/src/operations/command-words.js';
import { createMcpServer } from '../../apps/mcp/src/create-mcp-server.js';
import type { Profile } from '../../apps/mcp/src/profiles.js';
import { callsOfEngine } from '../../apps/mcp/src/tool-calls.js';
import { TextSink } from '../cli/command-line.js';
import { newClient } from '../mcp/mcp-client.js';
import type { RedialServer } from '../support/redial-server.js';

export const DOORS = ['http', 'facade', 'mcp', 'cli'] as const;
export type Door = (typeof DOORS)[number];

/** Operations of people alone: a model over MCP is refused. */
export const LEFT_TO_PEOPLE: readonly string[] = ['submitArbitration', 'signalRun', 'signalTurn'];

/** Whether an operation declares a door. Every operation is an HTTP route and a method of the facade. */
export function hasDoor({ cli, mcp }: Operation, door: Door): boolean {
  if (door === 'cli') return cli !== undefined;
  return door === 'mcp' ? mcp !== undefined : true;
}

/** Calls an operation through one of its doors: the answer as JSON has it. */
export async function callThrough(
  door: Door,
  server: RedialServer,
  operation: Operation,
  input: object,
  key?: string,
): Promise<unknown> {
  const answer = await CALLS[door](
    server,
    operation,
    input,
    key === undefined ? {} : { idempotencyKey: key },
  );
  return answer === undefined ? null : (JSON.parse(JSON.stringify(answer)) as unknown);
}

/** The key of a call, if it has one. */
interface Key {
  readonly idempotencyKey?: string;
}

type CallOfDoor = (server: RedialServer, operation: Operation, input: object, key: Key) => Promise<unknown>;
type CallOfFacade = (input: object, key: Key) => Promise<unknown>;

const CALLS: {
  readonly [name in Door]: CallOfDoor;
} = {
  http: (server, operation, input, key) => callOverHttp({ url: server.url }, operation, input, key),
  facade: async (server, { id, whole }, input, key) => {
    const redial = server.app.get<unknown>(Redial) as Record<string, CallOfFacade>;
    const given = whole === undefined ? input : ((input as Record<string, object>)[whole] ?? {});
    return wholeText(
      await (redial[id]?.(given, key) ?? Promise.reject(new Error(`The facade has no ${id}.`))),
    );
  },
  mcp: callTool,
  cli: runCommand,
};

/** Lines as the one text that HTTP gives; any other answer unchanged. */
async function wholeText(answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
  let text = '';
  for await (const line of answer as AsyncIterable<string>) text += line;
  return text;
}

/** The person whose token an MCP connection brings. */
export const acting: { actorToken?: string } = {};

async function callTool(
  server: RedialServer,
  operation: Operation,
  input: object,
  key: Key,
): Promise<unknown> {
  const client = await clientOf(server, operation.mcp ?? 'operate');
  const called = await client.callTool({ name: mcpToolOf(operation).name, arguments: { ...input, ...key } });
  const [{ text }] = called.content as [{ text: string }];
  if (called.isError) throw new Error(text);
  return JSON.parse(text) as unknown;
}

const clients = new WeakMap<RedialServer, Map<string, Promise<Client>>>();

/** One connection for each profile and token: its client checks `structuredContent` by the `outputSchema` of the tool. */
function clientOf(server: RedialServer, profile: Profile): Promise<Client> {
  const known = clients.get(server) ?? new Map<string, Promise<Client>>();
  clients.set(server, known);
  const key = `${profile} ${acting.actorToken}`;
  const client = known.get(key) ?? connect(server, profile);
  known.set(key, client);
  return client;
}

async function connect(server: RedialServer, profile: Profile): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const mcp = createMcpServer(callsOfEngine(server.app.get(Redial)), '1', {
    profile,
    outputSchemas: true,
    groups: ['all'],
    as: ['ann'],
    ...acting,
  });
  const client = newClient();
  await Promise.all([mcp.connect(far), client.connect(near)]);
  await client.listTools();
  return client;
}

async function runCommand(
  server: RedialServer,
  { cli = '', whole = '' }: Operation,
  input: object,
  { idempotencyKey: key }: Key,
): Promise<unknown> {
  const { words, args, options } = readCommandWords(cli);
  const rest = new Map(
    Object.entries(input).map(([name, value]) => [name, name === whole ? fileOf(value) : textOf(value)]),
  );
  const given = args.flatMap(({ field }) => rest.get(field) ?? []);
  for (const { field } of args) rest.delete(field);
  const nameOf = (name: string) =>
    name === 'metaJson' ? 'meta' : (options.find(({ field }) => field === name)?.name ?? optionName(name));
  const said = [...rest].flatMap(([name, value]) =>
    value === 'true' ? [`--${nameOf(name)}`] : [`--${nameOf(name)}`, value],
  );
  const out = new TextSink();
  const err = new TextSink();
  const io = { out, err, untilStopped: () => new Promise(() => undefined) };
  process.env['REDIAL_URL'] = server.url;
  try {
    const exitCode = await runCli(
      [...words, ...given, ...said, ...(key === undefined ? [] : ['--key', key]), '--json'],
      io,
    );
    // The test of the hook is refused by its address: the answer says so, and the command ends with 1.
    if (exitCode !== 0 && !err.text.startsWith('[NotTaken]')) throw new Error(err.text);
    return JSON.parse(out.text) as unknown;
  } finally {
    delete process.env['REDIAL_URL'];
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fileOf(value: unknown): string {
  const file = join(temporaryFolder(), 'definition.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
}
