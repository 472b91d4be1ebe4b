import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { temporaryFolder } from '#lib/kernel/testing';
import { noAnswer, ScriptedLlmServer } from '#lib/activities/testing';
import { EngineSettings, openEventLog } from '#lib/engine';
import { callTool, newClient } from '../mcp/mcp-client.js';
import { door } from '../support/door.js';
import { API_TOKEN, RedialServer } from '../support/redial-server.js';

const DIST = join(import.meta.dirname, '../../dist/bin');
const MAIN = join(DIST, 'redial.js');

describe('the command line as a process', () => {
  let folder: string;
  let llm: ScriptedLlmServer;

  beforeEach(async () => {
    folder = temporaryFolder();
    llm = await ScriptedLlmServer.start(() => noAnswer());
  });

  afterEach(async () => {
    await llm.close();
  });

  function redial(argv: readonly string[], stdout: 'pipe' | number = 'pipe'): ChildProcess {
    const env = {
      PATH: process.env['PATH'] ?? '',
      OPENAI_API_KEY: 'sk-canary-0123456789',
      OPENAI_BASE_URL: llm.baseUrl,
    };
    return spawn(process.execPath, [MAIN, ...argv], { env, stdio: ['ignore', stdout, 'pipe'] });
  }

  it.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)(
    'X-S12: %s during run records that the call in flight was interrupted',
    async (signal) => {
      const machine = join(folder, 'door.json');
      await writeFile(machine, JSON.stringify(door));
      const child = redial(['run', machine, '--data-dir', folder]);
      const ended = once(child, 'exit');
      let shown = '';
      for await (const part of child.stdout ?? []) {
        shown += String(part);
        if (shown.includes('LlmCallRequested')) break;
      }
      child.kill(signal);
      await ended;
      const log = await openEventLog(new EngineSettings({ dataDir: folder }));
      const events = await log.decodeAll(await log.store.readAll({ limit: 1000 }));
      await log.store.close();
      const failed = events.find(({ type }) => type === 'LlmCallFailed');
      expect(failed?.data).toMatchObject({ failure: { kind: 'interrupted' } });
    },
  );

  it('log check waits for the check of a large file, which a process of its own makes', async () => {
    const log = await openEventLog(new EngineSettings({ dataDir: folder }));
    const data = JSON.stringify({ text: 'x'.repeat(800_000) });
    for (const eventId of [randomUUID(), randomUUID()])
      await log.store.append('of-an-application', 'any', [{ eventId, type: 'Noted', data, metadata: '{}' }]);
    await log.store.close();
    const child = redial(['log', 'check', '--data-dir', folder]);
    let shown = '';
    for await (const part of child.stdout ?? []) shown += String(part);
    expect(shown).toContain('no damage');
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0);
  });

  it.each([['server.js'], ['redial.js', 'serve']])(
    'a server goes on once nobody reads its log any more: %s',
    async (main, ...argv) => {
      const PATH = process.env['PATH'] ?? '';
      const env = { PATH, PORT: '0', REDIAL_DATA_DIR: folder, LOG_LEVEL: 'debug' };
      const child = spawn(process.execPath, [join(DIST, main), ...argv], { env });
      let url: string | undefined;
      for await (const part of child.stdout) if ((url = /http:\S+/.exec(String(part))?.[0])) break;
      child.stderr.destroy();
      // Each answer is a line of the log.
      for (let asked = 0; asked < 3; asked++) {
        const { status } = await fetch(`${url}/v1/machines`);
        expect(status).toBe(200);
      }
      child.kill('SIGTERM');
      const [exitCode] = (await once(child, 'exit')) as [number];
      expect(exitCode).toBe(0);
    },
  );

  it('X-D11: redial mcp serves the tools of the server that REDIAL_URL names, as the person whose token it has', async () => {
    const server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: API_TOKEN } });
    const { body: ann } = await server.post(
      '/v1/people',
      { personId: 'ann', role: 'operator' },
      { authorization: `Bearer ${API_TOKEN}` },
    );
    const env = { REDIAL_URL: server.url, REDIAL_API_TOKEN: String(ann.token) };
    const args = [MAIN, 'mcp', '--profile', 'operate'];
    const client = newClient();
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
    await client.connect(transport);
    expect((await callTool(client, 'define_machine', { machine: door })).isError).toBe(false);
    const events = await server.log.decodeAll(await server.log.store.readAll({ limit: 100 }));
    expect(events.findLast(({ type }) => type === 'MachineDefined')?.metadata).toMatchObject({
      actor: 'ann',
    });
    await server.stop();
    const { value } = await callTool(client, 'list_machines');
    expect(value).toMatchObject({ status: 503, code: 'server-unreachable' });
    await client.close();
  });

  it('X-S12: says that standard output could not be written, and ends with 1', async () => {
    const child = redial(['--help'], openSync('/dev/full', 'w'));
    let said = '';
    child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
    const [exitCode] = (await once(child, 'close')) as [number];
    expect([exitCode, said]).toEqual([
      1,
      expect.stringMatching(/^\[OutputLost\] standard output: not all of it could be written \(ENOSPC\)\. /),
    ]);
  });
});
