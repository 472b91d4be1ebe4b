import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from './command-line.js';
import { door, refunds } from './machines.js';

describe('redial specialists', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  const register = (...argv: readonly string[]) =>
    cli.run('specialists', 'register', ...argv, '--machine', 'door');

  it('lists everybody, or those of one machine', async () => {
    await cli.session(door);
    await register('lead', '--human');
    await cli.run('specialists', 'register', 'other', '--machine', 'gate', '--strategy', 'firstAvailable');
    const { exitCode, lines } = await cli.run('specialists', 'list', '--machine', 'door');
    expect(exitCode).toBe(0);
    expect(lines.slice(1).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['doorman', 'proposer', 'door', 'strategy firstAvailable'],
      ['lead', 'proposer', 'door', 'a person'],
    ]);
    const { out } = await cli.run('specialists', 'list', '--json');
    expect((JSON.parse(out) as { items: object[] }).items).toHaveLength(3);
    expect((await cli.run('specialists', 'list', '--machine', 'none')).lines).toEqual([
      'no specialist is registered',
    ]);
  });

  it('registers a person, and gives the token once', async () => {
    const { exitCode, lines, err } = await register('lead', '--human');
    expect([exitCode, lines[1], err]).toEqual([
      0,
      expect.stringMatching(/^ {2}lead +proposer +door +a person/),
      expect.stringMatching(/^token of lead, given only now: .*: lead\.\S{43}\n$/),
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

  it.each([
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
  ])('registers who decides by %j', async (argv, stored, words) => {
    const { exitCode, out } = await register('one', ...argv, '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([0, expect.objectContaining(stored)]);
    expect((await cli.run('specialists', 'list')).out).toContain(words);
  });

  it('leaves a specialist out, and lets it take part again', async () => {
    await cli.session(door);
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

  it('X-T9: asks for the machine where several have a specialist of the id', async () => {
    await register('one', '--human');
    await cli.run('specialists', 'register', 'one', '--machine', 'gate', '--human');
    const { exitCode, err } = await cli.run('specialists', 'disable', 'one');
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^\[AmbiguousSpecialist\] .*door, gate/)]);
    const disabled = await cli.run('specialists', 'disable', 'one', '--machine', 'gate', '--json');
    expect(JSON.parse(disabled.out)).toMatchObject({ machineName: 'gate', enabled: false });
  });

  it.each([
    ['no way to decide', ['x'], 2, /it has no execution mode/],
    ['two of them', ['x', '--strategy', 'firstAvailable', '--human', '--threshold', '1'], 2, /threshold/],
    ['an id that is none', ['no good', '--human'], 2, /specialistId must be 1 to 128 letters/],
    ['a strategy that is not there', ['x', '--strategy', 'unheardOf'], 2, /unheardOf/],
  ])('refuses %s', async (_, argv, code, words) => {
    await cli.run('run', await cli.file('machine.json', { ...refunds, initialState: 'closed' }));
    const { exitCode, out, err } = await register(...argv);
    expect([exitCode, out, err]).toEqual([code, '', expect.stringMatching(words)]);
  });
});
