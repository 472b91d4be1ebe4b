import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from './command-line.js';
import { door } from './machines.js';

describe('redial specialists', () => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await CommandLine.open();
    await cli.prepare(async (redial) => {
      await redial.defineMachine(door);
      const twice = { specialistId: 'twice', isHuman: true };
      await redial.registerProposer({ specialistId: 'lead', machineName: 'door', isHuman: true });
      for (const machineName of ['hall', 'cellar']) await redial.registerProposer({ ...twice, machineName });
    });
  });

  afterAll(() => cli.close());

  const register = (...argv: readonly string[]) =>
    cli.run('specialists', 'register', ...argv, '--machine', 'gate');

  it('lists everybody, or those of one machine', async () => {
    const { exitCode, lines } = await cli.run('specialists', 'list', '--machine', 'door');
    expect(exitCode).toBe(0);
    expect(lines.slice(1).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['doorman', 'proposer', 'door', 'strategy firstAvailable'],
      ['lead', 'proposer', 'door', 'a person'],
    ]);
    const { out } = await cli.run('specialists', 'list', '--json');
    const { items } = JSON.parse(out) as { items: { machineName: string }[] };
    const machines = items.map(({ machineName }) => machineName);
    expect(machines).toEqual(expect.arrayContaining(['door', 'hall', 'cellar']));
    expect((await cli.run('specialists', 'list', '--machine', 'none')).lines).toEqual([
      'no specialist is registered',
    ]);
  });

  it('registers a person, and gives the token once', async () => {
    const { exitCode, lines, err } = await register('boss', '--human');
    expect([exitCode, lines[1], err]).toEqual([
      0,
      expect.stringMatching(/^ {2}boss +proposer +gate +a person/),
      expect.stringMatching(/^token of boss, given only now: .*: boss\.\S{43}\n$/),
    ]);
    const other = await register('other', '--human', '--json');
    expect([JSON.parse(other.out), other.err]).toEqual([
      expect.objectContaining({
        specialistId: 'other',
        actorToken: expect.stringMatching(/^other\.\S{43}$/),
      }),
      '',
    ]);
  });

  it('registers who decides by a model, a webhook or a function', async () => {
    const ways: readonly (readonly [readonly string[], object, string])[] = [
      [
        ['--model', 'gpt-4o-mini', '--template', 'Hello'],
        { modelId: 'gpt-4o-mini', contextTemplate: 'Hello' },
        'model gpt-4o-mini',
      ],
      [
        ['--model', 'm', '--context-webhook', 'https://example.com/', '--webhook-token-name', 'HOOK_TOKEN'],
        { modelId: 'm', contextWebhookUrl: 'https://example.com/', webhookTokenName: 'HOOK_TOKEN' },
        'model m',
      ],
      [
        ['--strategy-webhook', 'https://example.com/', '--webhook-token-name', 'HOOK_TOKEN'],
        { strategyWebhookUrl: 'https://example.com/', webhookTokenName: 'HOOK_TOKEN' },
        'webhook https://example.com/',
      ],
      [
        ['--role', 'arbiter', '--strategy', 'alignmentMargin', '--threshold', '0.3'],
        { role: 'arbiter', strategyFnName: 'alignmentMargin', threshold: 0.3 },
        'strategy alignmentMargin',
      ],
    ];
    for (const [n, [argv, stored]] of ways.entries()) {
      const { exitCode, out } = await register(`way-${n}`, ...argv, '--json');
      expect([exitCode, JSON.parse(out)]).toEqual([0, expect.objectContaining(stored)]);
    }
    const { lines } = await cli.run('specialists', 'list', '--machine', 'gate');
    for (const [n, [, , words]] of ways.entries())
      expect(lines).toContainEqual(expect.stringMatching(`^ +way-${n} .* ${words}`));
  });

  it('leaves a specialist out, and lets it take part again', async () => {
    const disabled = await cli.run('specialists', 'disable', 'doorman');
    expect([disabled.exitCode, disabled.lines[1]]).toEqual([0, expect.stringMatching(/ disabled$/)]);
    const { out } = await cli.run('specialists', 'enable', 'doorman', '--json');
    expect(JSON.parse(out)).toMatchObject({ specialistId: 'doorman', enabled: true });
    const { exitCode, err } = await cli.run('specialists', 'disable', 'nobody');
    expect([exitCode, err]).toEqual([4, expect.stringMatching(/^\[UnknownSpecialist\] /)]);
  });

  it('X-T3: registers a changed body as the next version, and shows every version', async () => {
    await register('one', '--strategy', 'firstAvailable');
    await register('one', '--strategy', 'random');
    const back = await register('one', '--strategy', 'firstAvailable', '--json');
    expect(JSON.parse(back.out)).toMatchObject({ version: 1, strategyFnName: 'firstAvailable' });
    const { lines } = await cli.run('specialists', 'versions', 'one');
    expect(lines.slice(1).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['1', 'proposer', 'strategy firstAvailable', expect.any(String), 'current'],
      ['2', 'proposer', 'strategy random', expect.any(String)],
    ]);
  });

  it('X-T9: asks for the machine when several have a specialist of the id', async () => {
    const { exitCode, err } = await cli.run('specialists', 'disable', 'twice');
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^\[AmbiguousSpecialist\] .*cellar, hall/)]);
    const disabled = await cli.run('specialists', 'disable', 'twice', '--machine', 'hall', '--json');
    expect(JSON.parse(disabled.out)).toMatchObject({ machineName: 'hall', enabled: false });
  });

  it.each([
    ['no way to decide', ['x'], 2, /it has no execution mode/],
    ['two of them', ['x', '--strategy', 'firstAvailable', '--human', '--threshold', '1'], 2, /threshold/],
    ['an id that is none', ['no good', '--human'], 2, /specialistId must be 1 to 128 letters/],
    ['a strategy that is not there', ['x', '--strategy', 'unheardOf'], 2, /unheardOf/],
  ])('refuses %s', async (_, argv, code, words) => {
    const { exitCode, out, err } = await register(...argv);
    expect([exitCode, out, err]).toEqual([code, '', expect.stringMatching(words)]);
  });
});
