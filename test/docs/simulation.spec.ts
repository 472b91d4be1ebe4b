import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandLine } from '../cli/command-line.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/simulation.md'), 'utf8');
const [, example = ''] = /```console\n\$ redial (simulate [^\n]+)\n/.exec(page) ?? [];
const more = [...page.matchAll(/`(--(?:quorum|trust|arbiter) [^`]+|--quorum)`/g)].map(
  ([, option = '']) => option,
);

const first = { role: 'proposer', specialistId: 'clerk', strategyFnName: 'firstAvailable' };
const refunds = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'paid',
  specialists: [first, { role: 'arbiter', specialistId: 'judge', strategyFnName: 'alignmentMargin' }],
  states: { asked: { transitions: { pay: 'paid' } }, paid: {} },
};

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.open();
  expect(await cli.run('run', await cli.file('refunds.json', refunds))).toMatchObject({ exitCode: 0 });
});
afterAll(() => cli.close());

it('docs/simulation.md has an example that runs, with each of its options', async () => {
  const simulated = await cli.run(...example.split(' '));
  expect([simulated.exitCode, simulated.lines[0]?.trim().split(/ {2,}/)]).toEqual([
    0,
    ['rounds', 'count', 'share', '95 %'],
  ]);
  expect(more).toHaveLength(3);
  for (const option of more) {
    const [name = '', value = '2'] = option.split(/ (.+)/);
    const { exitCode, out } = await cli.run('simulate', 'refunds', name, value.replaceAll("'", ''), '--json');
    expect([option, exitCode, JSON.parse(out)]).toMatchObject([option, 0, { rounds: 1 }]);
  }
});
