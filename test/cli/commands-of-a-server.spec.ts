import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { setEnvironment, toolCall } from '#lib/activities/testing';
import { runCli } from '../../apps/cli/src/run-cli.js';
import { RedialServer } from '../support/redial-server.js';
import { TextSink } from './command-line.js';
import { quarrel, refunds } from './machines.js';

let server: RedialServer;
let restore: () => void;

beforeEach(async () => {
  server = await RedialServer.start({ script: () => toolCall('approve', { amount: 5 }) });
  restore = setEnvironment({ REDIAL_URL: server.url, REDIAL_API_TOKN: undefined });
});

afterEach(async () => {
  restore();
  await server.stop();
});

async function run(...argv: readonly string[]) {
  const [out, err] = [new TextSink(), new TextSink()];
  const exitCode = await runCli(argv, { out, err, untilStopped: () => new Promise(() => undefined) });
  return { exitCode, out: out.text, err: err.text, lines: out.lines };
}

async function newSession(machine: { readonly machineName: string }): Promise<string> {
  await server.post('/v1/machines', machine);
  const { body } = await server.post('/v1/sessions', { machineName: machine.machineName });
  return (body as { sessionId: string }).sessionId;
}

it('X-D11: commands go to the server that REDIAL_URL names, which is asked what `last` and short ids mean', async () => {
  const sessionId = await newSession(refunds);
  const ticked = await run('tick', 'last', '--json');
  expect(JSON.parse(ticked.out)).toMatchObject({ sessionId, status: 'solicited' });
  const { lines } = await run('calls', sessionId.slice(0, 8));
  expect(lines).toHaveLength(2);
  const callId = lines.at(-1)?.trim().split(' ').at(-1) ?? '';
  expect((await run('show', callId.slice(0, 8))).out).toContain('approve');
  expect(await run('calls', 'ffffffff')).toMatchObject({ exitCode: 4 });
  for (const refused of [
    ['sessions', '--data-dir', 'x'],
    ['mcp', '--data-dir', 'x'],
    ['mcp', '--http'],
  ])
    expect(await run(...refused)).toMatchObject({ exitCode: 2, err: expect.stringContaining('REDIAL_URL') });
  // 0.2-O13
  for (const local of [
    ['run', 'no-such-file.json'],
    ['drive', 'last'],
  ])
    expect(await run(...local)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^\[InvalidInput\] redial .*REDIAL_URL.*--data-dir/),
    });
  expect(await run('inspect', 'last', '--data-dir', '/no-such-folder')).toMatchObject({
    exitCode: 5,
    err: expect.stringMatching(/^\[NoLog\] /),
  });
  for (const reading of ['inspect', 'why', 'replay'])
    expect(await run(reading, sessionId, '--data-dir', '/no-such-folder')).toMatchObject({
      exitCode: 5,
      err: expect.stringContaining('does not ask the server of REDIAL_URL'),
    });
  process.env['REDIAL_API_TOKN'] = 'misspelt';
  for (const command of [['sessions'], ['mcp']])
    expect(await run(...command)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^\[InvalidSetting\] .*REDIAL_API_TOKEN/),
    });
  delete process.env['REDIAL_API_TOKN'];
  process.env['REDIAL_URL'] = 'http://127.0.0.1:1';
  for (const command of [['sessions'], ['tick', 'last'], ['export', 'sessions']])
    expect(await run(...command)).toMatchObject({
      exitCode: 5,
      err: expect.stringMatching(
        /^\[ServerUnreachable\] REDIAL_URL http:\/\/127.0.0.1:1: no server answers there/,
      ),
    });
});

it('X-D11: a connection that ends before the answer has another error than a server that does not answer, and no password is shown', async () => {
  const begun = (type: string) => `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: 9\r\n\r\n{`;
  const beginnings = ['', begun('application/json'), '', begun('text/csv')];
  const closing = createServer((connection) =>
    connection.once('data', () => connection.end(beginnings.shift() ?? '')),
  );
  closing.unref();
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  const { port } = closing.address() as AddressInfo;
  const cut = [`http://127.0.0.1:${port}`, 'the connection ended before the answer'] as const;
  for (const [url, why, command] of [
    [...cut, ['sessions']],
    [...cut, ['sessions']],
    [...cut, ['export', 'sessions']],
    [...cut, ['export', 'sessions']],
    ['nonsense', 'no server answers there', ['sessions']],
    ['http://ann:canary@127.0.0.1:1', 'no server answers there', ['sessions']],
    ['http://ann:canary@127.0.0.1:1', 'no server answers there', ['export', 'sessions']],
  ] as const) {
    process.env['REDIAL_URL'] = url;
    const { exitCode, err } = await run(...command);
    expect([exitCode, err]).toEqual([
      5,
      expect.stringMatching(`^\\[ServerUnreachable\\] REDIAL_URL .*${why}`),
    ]);
    expect(err).not.toContain('canary');
  }
});

it('X-D11: a person decides at a server, and a round that waits for a person ends a step with 6', async () => {
  const sessionId = await newSession(quarrel);
  for (let step = 0; step < 2; step++) await run('tick', sessionId);
  expect(await run('tick', sessionId)).toMatchObject({
    exitCode: 6,
    err: expect.stringContaining(`redial decide ${sessionId}`),
  });
  expect(await run('decide', 'last', 'go', '--as', 'lead')).toMatchObject({ exitCode: 0 });
  expect(await run('decide', sessionId, 'go', '--as', 'nobody')).toMatchObject({ exitCode: 4 });
});
