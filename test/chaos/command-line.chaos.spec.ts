import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { noAnswer, ScriptedLlmServer } from '#lib/activities/testing';
import { EngineSettings, openEventLog } from '#lib/engine';
import { door } from '../support/door.js';

const MAIN = join(import.meta.dirname, '../../dist/bin/redial.js');

describe('the command line as a process', () => {
  let folder: string;
  let llm: ScriptedLlmServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redial-process-'));
    llm = await ScriptedLlmServer.start(() => noAnswer());
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
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
