import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from './command-line.js';

const refunds = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'closed',
  states: {
    asked: { transitions: { check: 'checked', pay: 'closed' } },
    checked: { transitions: { pay: 'closed', back: 'asked' } },
    closed: {},
  },
};

describe('redial prove', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await CommandLine.open();
  });
  afterAll(() => cli.close());

  const prove = async (members: object, ...options: readonly string[]) =>
    cli.runBare('prove', await cli.file('machine.json', { ...refunds, ...members }), ...options);

  it('says what the sessions of a machine can do, and that its properties hold', async () => {
    const { exitCode, lines, err } = await prove({ properties: [{ reaches: 'closed' }] });
    expect([exitCode, lines, err]).toEqual([
      0,
      ['loops without people: asked -> checked -> asked', 'holds: {"reaches":"closed"}'],
      '',
    ]);
  });

  it('ends with 8 if a stated property does not hold, and shows a way', async () => {
    const properties = [{ reaches: 'closed' }, { before: ['checked', 'closed'] }];
    const { exitCode, lines, err } = await prove({ properties });
    expect([exitCode, lines.at(-1)]).toEqual([
      8,
      'does not hold: {"before":["checked","closed"]}, by asked -pay-> closed',
    ]);
    expect(err).toMatch(/^\[PropertyViolated\] .*1 of 2 stated properties does not hold/);
    const json = await prove({ properties }, '--json');
    expect([json.exitCode, JSON.parse(json.out)]).toMatchObject([
      8,
      { properties: [{ holds: true }, { holds: false }] },
    ]);
  });

  it('ends with 2 for a file that is no machine, and validate for properties that do not hold', async () => {
    expect(await prove({ initialState: 'nowhere' })).toMatchObject({ exitCode: 2 });
    const file = await cli.file('bad.json', { ...refunds, properties: [{ never: 'closed' }] });
    const validated = await cli.runBare('validate', file);
    expect(validated).toMatchObject({ exitCode: 2 });
    expect(`${validated.out}${validated.err}`).toContain('by asked -pay-> closed');
  });

  it('prints names of states without what would steer a terminal', async () => {
    const states = { asked: { transitions: { on: '\u001B[2Jx' } }, '\u001B[2Jx': {}, closed: {} };
    const { out } = await prove({ states });
    expect(out).toContain('dead end');
    expect(out).not.toContain('\u001B');
  });
});
