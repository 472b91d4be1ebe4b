import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import { CommandLine, TextSink } from './command-line.js';
import { door } from './machines.js';

describe('redial serve', () => {
  let cli: CommandLine;
  let restore: () => void;

  beforeEach(async () => {
    cli = await CommandLine.open();
    restore = setEnvironment({ PORT: '0', HOST: undefined, LOG_LEVEL: 'error' });
  });

  afterEach(async () => {
    restore();
    await cli.close();
  });

  it('says where it listens, serves the folder that others read, and ends with 0 when it is stopped', async () => {
    const sessionId = await cli.session(door);
    const out = new TextSink();
    const serving = cli.runInto(out, 'serve', '--data-dir', cli.dataDir, '--json');
    await out.written;
    const { url } = JSON.parse(out.text) as { url: string };
    const served = await fetch(`${url}/v1/sessions/${sessionId}`);
    expect(await served.json()).toMatchObject({ sessionId, currentState: 'open' });
    for (const argv of [
      ['inspect', sessionId],
      ['replay', '--all'],
      ['projections', 'list'],
    ]) {
      expect((await cli.run(...argv)).exitCode).toBe(0);
    }
    cli.stopped.resolve();
    expect(await serving).toMatchObject({ exitCode: 0, err: '' });
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('serves the console over a folder with redial console, on loopback alone and on a free port', async () => {
    const sessionId = await cli.session(door);
    setEnvironment({ PORT: undefined, HOST: '0.0.0.0', REDIAL_CONSOLE: 'off' });
    const out = new TextSink();
    const serving = cli.runInto(out, 'console', '--data-dir', cli.dataDir);
    await out.written;
    const [, url = ''] = /^The console is at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(out.text) ?? [];
    const served = await fetch(`${url}/v1/sessions/${sessionId}`);
    expect(await served.json()).toMatchObject({ sessionId });
    cli.stopped.resolve();
    expect(await serving).toMatchObject({ exitCode: 0, err: '' });
  });

  it('serves the console over a history file, to which nothing is added: no folder, and no setting of a log', async () => {
    const sessionId = await cli.session(door);
    const file = join(cli.folder, 'shown.jsonl');
    await cli.run('history', 'export', sessionId, '--to', file);
    const before = readFileSync(file);
    setEnvironment({ PORT: undefined, REDIAL_DATA_DIR: join(cli.folder, 'none') });
    const out = new TextSink();
    const serving = cli.runInto(out, 'console', file);
    await out.written;
    const [, url = ''] = /^The console is at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(out.text) ?? [];
    const served = await fetch(`${url}/v1/sessions/${sessionId}`);
    expect(await served.json()).toMatchObject({ sessionId, currentState: 'open' });
    const execution = { webhookUrl: 'https://tools.example/find' };
    const body = JSON.stringify({ toolId: 't', description: 'T', parameters: { type: 'object' }, execution });
    const headers = { 'content-type': 'application/json' };
    const changed = await fetch(`${url}/v1/tools`, { method: 'POST', headers, body });
    expect([changed.status, await changed.json()]).toMatchObject([422, { code: 'history-is-read-only' }]);
    cli.stopped.resolve();
    expect(await serving).toMatchObject({ exitCode: 0, err: '' });
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(join(cli.folder, 'none'))).toBe(false);
  });

  it('redial console refuses what is no history file', async () => {
    expect(await cli.runBare('console', 'log.sqlite')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('it takes a history file'),
    });
  });

  it('ends with 1 when the server will not start', async () => {
    process.env['HOST'] = '0.0.0.0';
    const { exitCode, out, err } = await cli.run('serve');
    expect([exitCode, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/^\[OpenToOthers\] .*REDIAL_API_TOKEN/),
    ]);
  });
});
