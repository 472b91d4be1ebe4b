import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { circle } from './machines.js';

const MARKER = 'marker-of-ann';

describe('a history file about a subject', () => {
  let cli: CommandLine;
  let restore: () => void;
  let sessionId = '';
  let files: readonly string[] = [];
  let listed: readonly object[] = [];
  const [withKeys, without, redacted, late] = ['keys', 'none', 'redacted', 'late'].map(
    (name) => `${name}.jsonl`,
  );
  beforeAll(async () => {
    cli = await CommandLine.open();
    restore = setEnvironment({ REDIAL_MASTER_KEY: randomBytes(32).toString('base64') });
    sessionId = await cli.prepare(async (redial) => {
      await redial.defineMachine(circle);
      const given = { machineName: 'circle', metaJson: { note: MARKER }, subject: 'ann' };
      const { sessionId: made } = await redial.createSession(given);
      await redial.tickSession({ sessionId: made });
      return made;
    });
    await cli.run('seal');
    files = [withKeys, without, redacted, late].map((name) => join(cli.folder, name ?? ''));
    const exported = (index: number, ...more: readonly string[]) =>
      cli.run('history', 'export', sessionId, '--to', files[index] ?? '', ...more);
    expect(await exported(0)).toMatchObject({ exitCode: 0 });
    expect(await exported(1, '--keys', 'off')).toMatchObject({ exitCode: 0 });
    expect(await exported(2, '--redact', 'content')).toMatchObject({ exitCode: 0 });
    const erased = await cli.run('subjects', 'erase', 'ann', '--json');
    listed = (JSON.parse(erased.out) as { exports: readonly object[] }).exports;
    expect(await exported(3)).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    restore();
    await cli.close();
  });
  const textOf = (index: number) => readFileSync(files[index] ?? '', 'utf8');

  it('has the key in its second line, unless that is left out, it is redacted, or the subject is erased', () => {
    const line = JSON.parse(textOf(0).split('\n')[1] ?? '') as object;
    expect(line).toEqual({ keys: [{ subject: 'ann', key: expect.stringMatching(/^[\w+/]{43}=$/) }] });
    for (const index of [1, 2, 3]) expect(textOf(index)).not.toContain('"keys"');
    for (const index of [0, 1, 2, 3]) expect(textOf(index)).not.toContain(MARKER);
  });

  it('is listed by the erasure with its author, unless it is redacted or made later', async () => {
    const made = ['history', 'history-without-key'].map((what) => ({ by: 'operator', what }));
    expect(listed).toMatchObject(made);
    const { out } = await cli.run('subjects', 'show', 'ann', '--json');
    expect(JSON.parse(out)).toMatchObject({ exports: listed });
  });

  it('is read whole with the key, on a machine without a master key, also after the erasure', async () => {
    const back = setEnvironment({ REDIAL_MASTER_KEY: undefined });
    const shown = await cli.runBare('inspect', files[0] ?? '', '--json');
    const replayed = await cli.runBare('replay', files[0] ?? '', '--json');
    back();
    expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining(MARKER)]);
    expect([replayed.exitCode, JSON.parse(replayed.out)]).toMatchObject([0, { identical: true }]);
    expect(replayed.out).not.toContain('"erased"');
  });

  it('without the key verifies in its structure, and its content reads as that of an erased subject', async () => {
    for (const index of [1, 3]) {
      const replayed = await cli.runBare('replay', files[index] ?? '', '--json');
      expect([replayed.exitCode, JSON.parse(replayed.out)]).toMatchObject([
        0,
        { identical: true, erased: expect.any(Number) },
      ]);
      const shown = await cli.runBare('inspect', files[index] ?? '', '--json');
      expect([shown.exitCode, JSON.parse(shown.out)]).toMatchObject([0, { session: { erased: true } }]);
      expect(await cli.runBare('regress', files[index] ?? '')).toMatchObject({ exitCode: 13 });
    }
  });

  it('verifies with and without the key against its seal', async () => {
    for (const index of [0, 1])
      expect(await cli.runBare('verify', files[index] ?? '')).toMatchObject({ exitCode: 7 });
  });
});
