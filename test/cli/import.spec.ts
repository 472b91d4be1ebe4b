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

  it('is refused for a command of a server, which has functions of its own', async () => {
    const restore = setEnvironment({ REDIAL_URL: 'http://127.0.0.1:9' });
    const functions = await cli.file('functions.mjs', 'export const functions = {};');
    const { exitCode, err } = await cli.runBare('sessions', '--import', functions);
    restore();
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--import: REDIAL_URL names a server')]);
  });
});
