import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';

const machine = {
  machineName: 'stock',
  initialState: 'asked',
  goalState: 'answered',
  states: { asked: { transitions: { order: 'answered', wait: 'answered' } }, answered: {} },
  specialists: [{ role: 'proposer', specialistId: 'rule', strategyFnName: 'fewLeft' }],
};
const specialist = { role: 'proposer', specialistId: 'other' };
const strategy = "({ metaJson }) => ({ transitionName: metaJson.left < 3 ? 'order' : 'wait' })";

describe('0.2-O12: --import', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  it.each([
    ['named exports', `export const strategies = { fewLeft: ${strategy} };`],
    ['a default export', `export default { strategies: { fewLeft: ${strategy} } };`],
  ])('gives a command the functions of %s, and the next command none', async (_, source) => {
    const functions = await cli.file('functions.mjs', source);
    const file = await cli.file('stock.json', machine);
    const asked = ['run', file, '--meta', '{"left":2}', '--json'];
    const { exitCode, lines } = await cli.run(...asked, '--import', functions);
    const { session } = JSON.parse(lines.at(-1) ?? '') as { session: object };
    expect([exitCode, session]).toEqual([
      0,
      expect.objectContaining({ history: [expect.objectContaining({ transitionName: 'order' })] }),
    ]);
    expect((await cli.run('replay', '--all', '--import', functions)).exitCode).toBe(0);
    expect((await cli.run(...asked)).exitCode).not.toBe(0);
  });

  it.each([
    ['there is none', undefined, 'there is no such file'],
    ['it throws', "throw new Error('no database');", 'no database'],
    ['it is no module', 'export const = 1;', 'Name a module that Node can load'],
    ['its default export is no object', 'export default 7;', 'its default export is no object'],
    ['it exports something else', 'export const strategy = {};', '/strategy'],
    [
      'it registers a name twice',
      `const one = { name: 'one', versions: {} };
       export const workflows = [one, { ...one }];`,
      'one',
    ],
  ])('ends with 2 and the reason if %s, before anything is made', async (_, source, why) => {
    const path = source === undefined ? 'none.mjs' : await cli.file('functions.mjs', source);
    for (const command of [
      ['tick'],
      ['serve'],
      ['mcp'],
      ['console'],
      ['replay', '--all'],
      ['regress', '.'],
    ]) {
      const { exitCode, err } = await cli.run(...command, '--import', path);
      expect([command, exitCode, err]).toEqual([command, 2, expect.stringContaining(`--import ${path}: `)]);
      expect(err).toContain(why);
    }
  });

  it.each([
    ['a strategy', { ...specialist, strategyFnName: 'misspelt' }, 'strategyFnName "misspelt"'],
    ['a context', { ...specialist, modelId: 'm', contextFnName: 'misspelt' }, 'contextFnName "misspelt"'],
    [
      'an arbiter',
      { ...specialist, role: 'arbiter', strategyFnName: 'misspelt' },
      'strategyFnName "misspelt"',
    ],
    ['a workflow', { ...specialist, workflow: { name: 'misspelt', input: {} } }, 'workflow "misspelt"'],
  ])(
    'validates that the module registers %s that a machine names, in a state too',
    async (_, named, what) => {
      const functions = await cli.file(
        'functions.mjs',
        `export const strategies = { fewLeft: ${strategy} };`,
      );
      const states = { ...machine.states, asked: { ...machine.states.asked, specialists: [named] } };
      const file = await cli.file('stock.json', { ...machine, states });
      const { exitCode, err } = await cli.runBare('validate', file, '--import', functions);
      expect([exitCode, err]).toEqual([2, expect.stringContaining('it is not a valid machine, 1 problem.')]);
      expect(err).toContain(`\n  /states/asked/specialists/0: `);
      expect(err).toContain(`${what} is not registered in this process`);
      expect((await cli.runBare('validate', file)).exitCode).toBe(0);
      const gate = await cli.file('gate.json', { gateId: 'g', choices: { yes: {} }, specialists: [named] });
      const refused = await cli.runBare('validate', gate, '--import', functions);
      expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('/specialists/0: ') });
    },
  );

  it('validates a machine whose functions and workflows the module registers', async () => {
    const source = `export const strategies = { fewLeft: ${strategy} };
       export const workflows = [{ name: 'own', versions: { 1: { decide: () => [], replay: () => ({}) } } }];`;
    const functions = await cli.file('functions.mjs', source);
    const own = { ...specialist, workflow: { name: 'own', input: {} } };
    const file = await cli.file('stock.json', { ...machine, specialists: [...machine.specialists, own] });
    const { exitCode, lines } = await cli.runBare('validate', file, '--import', functions, '--json');
    expect([exitCode, JSON.parse(lines.join(''))]).toEqual([0, { valid: true, errors: [], warnings: [] }]);
  });

  it('validates that the module registers the functions that an agent names, with and without a log', async () => {
    const steps = [{ id: 'ask', prompt: 'Ask.', if: { fn: 'named' } }];
    const agent = { agentName: 'desk', model: 'm', flows: [{ title: 'All', steps }] };
    const file = await cli.file('agent.json', agent);
    const reportOf = async (name: string): Promise<unknown> => {
      const functions = await cli.file(`${name}.mjs`, `export const functions = { ${name}: () => true };`);
      return JSON.parse((await cli.run('agents', 'validate', file, '--import', functions, '--json')).out);
    };
    for (const _ of ['without a log', 'with a log']) {
      expect(await reportOf('named')).toMatchObject({ valid: true });
      expect(await reportOf('other')).toMatchObject({
        valid: false,
        errors: [{ path: '/flows/0/steps/0/if/0/fn', message: expect.stringContaining('function "named"') }],
      });
      await cli.run('machines', 'define', await cli.file('door.json', { ...machine, specialists: [] }));
    }
  });

  it('is named as the remedy where a run is of a workflow that no command but the first one was given', async () => {
    const source = `const rules = { input: {}, initialState: () => null, evolve: (s) => s, next: () => [{ do: 'end', result: 1 }] };
       export const workflows = [{ name: 'own', versions: { 1: rules } }];`;
    const functions = await cli.file('functions.mjs', source);
    const { out } = await cli.run('runs', 'start', 'own', '--input', '{}', '--import', functions, '--json');
    const { runId } = JSON.parse(out) as { runId: string };
    const commands = [
      ...['show', 'replay', 'why'].map((one) => ['runs', one]),
      ['replay'],
      ['why'],
      ['inspect'],
    ];
    for (const command of commands) {
      const { exitCode, err } = await cli.run(...command, runId);
      expect([command, exitCode, err]).toEqual([command, 4, expect.stringContaining('--import')]);
      expect((await cli.run(...command, runId, '--import', functions)).exitCode).toBe(0);
    }
    const file = join(cli.folder, 'own.jsonl');
    await cli.run('history', 'export', runId, '--to', file, '--import', functions);
    expect(await cli.runBare('replay', file)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/it is of a run of the workflow own, .* with --import/),
    });
    expect((await cli.runBare('replay', file, '--import', functions)).exitCode).toBe(0);
  });

  it('is refused for a command of a server, which has functions of its own', async () => {
    const restore = setEnvironment({ REDIAL_URL: 'http://127.0.0.1:9' });
    const functions = await cli.file('functions.mjs', 'export const functions = {};');
    const { exitCode, err } = await cli.runBare('sessions', '--import', functions);
    restore();
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--import: REDIAL_URL names a server')]);
  });
});
