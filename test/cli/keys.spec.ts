import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { circle } from './machines.js';

describe('redial keys rotate', () => {
  const [old, fresh, third] = [1, 2, 3].map(() => randomBytes(32).toString('base64'));
  let cli: CommandLine;
  let restore: () => void;
  let sessionId = '';
  beforeAll(async () => {
    cli = await CommandLine.open();
    restore = setEnvironment({ REDIAL_MASTER_KEY: undefined, REDIAL_MASTER_KEY_NEW: undefined });
  });
  afterAll(async () => {
    restore();
    await cli.close();
  });

  /** With these master keys. */
  async function run(now: string | undefined, next: string | undefined, ...words: readonly string[]) {
    const back = setEnvironment({ REDIAL_MASTER_KEY: now, REDIAL_MASTER_KEY_NEW: next });
    try {
      return await cli.run(...words);
    } finally {
      back();
    }
  }

  it('wraps the keys of subjects anew: from then on the new master key opens them, and the old one, or none, is refused by name', async () => {
    const back = setEnvironment({ REDIAL_MASTER_KEY: old });
    sessionId = await cli.prepare(async (redial) => {
      await redial.defineMachine(circle);
      const given = { machineName: 'circle', metaJson: { note: 'of ann' }, subject: 'ann' };
      return (await redial.createSession(given)).sessionId;
    });
    back();
    const { out, exitCode } = await run(old, fresh, 'keys', 'rotate', '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([0, { keys: 1 }]);
    const shown = await run(fresh, undefined, 'inspect', sessionId, '--json');
    expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining('of ann')]);
    for (const wrong of [old, third, undefined]) {
      const refused = await run(wrong, undefined, 'inspect', sessionId);
      expect(refused.exitCode).toBeGreaterThan(0);
      expect(refused.err).toContain('Set REDIAL_MASTER_KEY to the key of this log');
      const started = await run(wrong, undefined, 'people', 'list');
      expect([started.exitCode > 0, started.err]).toEqual([
        true,
        expect.stringMatching(/^\[MasterKeyRefused\].*Set REDIAL_MASTER_KEY/),
      ]);
    }
  });

  it('made again does nothing, and without a fitting key changes nothing', async () => {
    const again = await run(old, fresh, 'keys', 'rotate');
    expect([again.exitCode, again.out]).toEqual([
      0,
      expect.stringContaining('the new master key wraps 1 keys'),
    ]);
    const without = await run(fresh, undefined, 'keys', 'rotate');
    expect([without.exitCode, without.err]).toEqual([2, expect.stringContaining('REDIAL_MASTER_KEY_NEW')]);
    const wrong = await run(old, third, 'keys', 'rotate');
    expect([wrong.exitCode > 0, wrong.err]).toEqual([true, expect.stringContaining('another master key')]);
    expect(await run(fresh, undefined, 'inspect', sessionId)).toMatchObject({ exitCode: 0 });
  });

  it('is refused beside a log without keys, with the name of the place, and makes no file', async () => {
    const keys = join(cli.dataDir, 'keys.sqlite');
    renameSync(keys, `${keys}.moved`);
    const refused = await run(fresh, old, 'keys', 'rotate');
    expect([refused.exitCode > 0, refused.err]).toEqual([true, expect.stringMatching(/^\[NoKeys\]/)]);
    expect(refused.err).toContain(keys);
    expect(existsSync(keys)).toBe(false);
    renameSync(`${keys}.moved`, keys);
  });
});

it('redial log copy takes the keys of subjects along, and in another run the tombstones of those that were erased since', async () => {
  const cli = await CommandLine.open();
  const restore = setEnvironment({ REDIAL_MASTER_KEY: randomBytes(32).toString('base64') });
  const folder = join(cli.folder, 'copied');
  mkdirSync(folder);
  const copy = () => cli.run('log', 'copy', '--to', join(folder, 'log.sqlite'));
  const shown = async (sessionId: string) => {
    const { out, exitCode } = await cli.runBare('inspect', sessionId, '--json', '--data-dir', folder);
    return [exitCode, out.includes('of ann'), out.includes('of bob')];
  };
  const given = { machineName: 'circle', metaJson: { note: 'of ann' } };
  const [ann, bob] = await cli.prepare(async (redial) => {
    await redial.defineMachine(circle);
    const of = async (subject: string) =>
      (await redial.createSession({ ...given, metaJson: { note: `of ${subject}` }, subject })).sessionId;
    return [await of('ann'), await of('bob')] as const;
  });
  const first = await copy();
  expect([first.exitCode, first.lines[1]]).toEqual([0, 'keys: 2 keys of subjects, wrapped for the copy']);
  expect(await shown(ann)).toEqual([0, true, false]);
  expect((await cli.run('subjects', 'erase', 'ann')).exitCode).toBe(0);
  // Rows of the copy are filled again, as after each copy that is to be used.
  for (const name of readdirSync(folder).filter((one) => one.startsWith('read.sqlite')))
    rmSync(join(folder, name));
  expect((await copy()).lines[1]).toBe('keys: 1 keys of subjects, wrapped for the copy');
  expect([await shown(ann), await shown(bob)]).toEqual([
    [0, false, false],
    [0, false, true],
  ]);
  const without = setEnvironment({ REDIAL_MASTER_KEY: undefined });
  const refused = await copy();
  expect([refused.exitCode > 0, refused.err]).toEqual([true, expect.stringContaining('REDIAL_MASTER_KEY')]);
  without();
  restore();
  await cli.close();
});
