import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { changeData } from './change-data.js';
import { CommandLine } from './command-line.js';
import { door } from './machines.js';

const missing = expect.stringMatching(/^\[KeyMissing\] .*subject ann: its key is not in the key store/m);

describe('a log with a subject whose key is lost', () => {
  let cli: CommandLine;
  let restore: () => void;
  let sessions: readonly string[] = [];
  beforeAll(async () => {
    cli = await CommandLine.open();
    restore = setEnvironment({ REDIAL_MASTER_KEY: randomBytes(32).toString('base64') });
    sessions = await cli.prepare(async (redial) => {
      await redial.defineMachine(door);
      const made: string[] = [];
      for (const subject of [undefined, 'ann', undefined]) {
        const given = { machineName: 'door', metaJson: { text: 'x' }, ...(subject && { subject }) };
        made.push((await redial.createSession(given)).sessionId);
      }
      return made;
    });
    for (const name of readdirSync(cli.dataDir).filter((one) => one.startsWith('keys.sqlite')))
      rmSync(join(cli.dataDir, name));
  });
  afterAll(async () => {
    restore();
    await cli.close();
  });

  it('has all other histories exported, and then the export ends with 5', async () => {
    const folder = join(cli.folder, 'histories');
    const ended = await cli.run('history', 'export', '--all', '--to', folder);
    expect(ended).toMatchObject({ exitCode: 5, err: missing });
    expect(ended.err).toContain(`not written: session ${sessions[1]}`);
    const files = [sessions[0], sessions[2]].map((id) => `session-${id}.jsonl`);
    expect(readdirSync(folder).toSorted()).toEqual(files.toSorted());
  });

  it('is checked to its end, also for damage behind it', async () => {
    const clean = await cli.run('log', 'check', '--json');
    expect(clean).toMatchObject({ exitCode: 5, err: missing });
    expect(JSON.parse(clean.out)).toEqual({ sound: false, findings: [] });
    // The check of the file looks at the last 1,000 events itself.
    const store = await SqliteEventStore.open(join(cli.dataDir, 'log.sqlite'));
    const noted = (type: string) => ({ eventId: randomUUID(), type, data: '{}', metadata: '{}' });
    await store.append('redial_machine-late', 'any', [noted('MachineDefined')]);
    for (let page = 0; page < 10; page++)
      await store.append(
        'of-an-application',
        'any',
        Array.from({ length: 101 }, () => noted('Noted')),
      );
    await store.close();
    changeData(join(cli.dataDir, 'log.sqlite'), 'MachineDefined', (data) => (data === '{}' ? '[]' : data));
    const damaged = await cli.run('log', 'check');
    expect(damaged).toMatchObject({ exitCode: 1, err: expect.stringContaining('redial_machine-late') });
  });
});
