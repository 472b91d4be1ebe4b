import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';

const url = 'https://example.com/redial';

describe('redial hooks add', () => {
  let cli: CommandLine;
  let restore: () => void;
  beforeAll(async () => {
    cli = await CommandLine.open();
    restore = setEnvironment({
      BOOKING_HOOK_TOKEN: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
      REDIAL_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    });
  });
  afterAll(async () => {
    restore();
    await cli.close();
  });

  const add = (...options: readonly string[]) =>
    cli.run('hooks', 'add', 'booking', '--url', url, '--secret-name', 'BOOKING_HOOK_TOKEN', ...options);
  const shown = async () =>
    JSON.parse((await cli.run('hooks', 'show', 'booking', '--json')).out) as Record<string, unknown>;

  it('takes a type each time that `--types` is given, or a JSON array of them', async () => {
    expect(await add('--types', 'round.decided')).toMatchObject({ exitCode: 0, err: '' });
    expect(await shown()).toMatchObject({
      types: ['round.decided'],
      secretName: 'BOOKING_HOOK_TOKEN',
      disabled: false,
    });
    await add('--types', 'round.decided', '--types', 'session.done');
    expect(await shown()).toMatchObject({ types: ['round.decided', 'session.done'] });
    await add('--types', '["task.opened"]');
    expect(await shown()).toMatchObject({ types: ['task.opened'] });
  });

  it('disables a hook and enables it again', async () => {
    const types = ['--types', 'round.decided'];
    await add(...types, '--disabled');
    expect(await shown()).toMatchObject({ disabled: true });
    await add(...types);
    expect(await shown()).toMatchObject({ disabled: true });
    await add(...types, '--disabled', 'false');
    expect(await shown()).toMatchObject({ disabled: false });
    await add(...types, '--disabled', 'true');
    expect(await shown()).toMatchObject({ disabled: true });
    expect(await add(...types, '--disabled', 'maybe')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('It is neither true nor false.'),
    });
  });

  it('shows a random secret once', async () => {
    const random = ['hooks', 'add', 'random', '--url', url, '--types', 'session.done'];
    const { exitCode, lines } = await cli.run(...random);
    expect([exitCode, lines]).toEqual([0, expect.arrayContaining([expect.stringMatching(/: whsec_.{44}$/)])]);
    expect((await cli.run(...random)).out).not.toContain('whsec_');
    expect((await cli.run('hooks', 'show', 'random')).out).not.toContain('whsec_');
  });

  it('ends the test of a hook with 1 where its receiver does not take the message', async () => {
    const closed = ['--url', 'http://127.0.0.1:9/', '--types', 'session.done'];
    expect((await cli.run('hooks', 'add', 'closed', ...closed)).exitCode).toBe(0);
    const { exitCode, out, err } = await cli.run('hooks', 'test', 'closed', '--json');
    expect(JSON.parse(out)).toMatchObject({ error: expect.any(String) });
    expect([exitCode, err]).toEqual([1, expect.stringContaining('[NotTaken] the receiver of the hook')]);
  });
});
