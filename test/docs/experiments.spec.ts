import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { CommandLine, type Ended } from '../cli/command-line.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/experiments.md'), 'utf8');
const [, question = ''] = /```json\n([^`]+)```/.exec(page) ?? [];
const commands = [...page.matchAll(/^\$ redial (.+)$/gm)].map(([, command = '']) => command.split(' '));

const POINTS = 3;
const refunds = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'triage', modelId: 'gpt-4o', contextTemplate: 'Decide.' },
    { role: 'proposer', specialistId: 'boss', isHuman: true },
  ],
  states: { asked: { transitions: { pay: 'closed', refuse: 'closed' } }, closed: {} },
} as const;

/** The model pays always, and a person refused each time. */
describe('docs/experiments.md', () => {
  let cli: CommandLine;
  let file: string;
  let experimentId = '<id>';

  beforeAll(async () => {
    cli = await CommandLine.open();
    await cli.prepare(async (redial) => {
      await redial.defineMachine(refunds);
      for (let point = 0; point < POINTS; point += 1) {
        const { sessionId } = await redial.createSession({ machineName: 'refunds' });
        await redial.submitArbitration({ sessionId, specialistId: 'boss', transitionName: 'refuse' });
      }
    });
    file = await cli.file('experiment.json', JSON.parse(question));
    const paid = { transitionName: 'pay', toState: 'closed', reasoning: 'kind' };
    cli.llm.enqueue(...Array.from({ length: 2 * POINTS }, () => text(paid)));
  });
  afterAll(() => cli.close());

  const run = (words: readonly string[], ...more: readonly string[]): Promise<Ended> =>
    cli.run(
      ...words.map((word) => ({ '<id>': experimentId, 'experiment.json': file })[word] ?? word),
      ...more,
    );

  it('has commands that run: an estimate, the experiment, what it spoils', async () => {
    const [estimate = [], start = [], resume = [], cancel = [], items = []] = commands;
    const estimated = await run(estimate, '--json');
    expect([estimated.exitCode, JSON.parse(estimated.out)]).toMatchObject([0, { points: 3, calls: 6 }]);
    const ran = await run(start, '--json');
    const experiment = JSON.parse(ran.out) as { experimentId: string };
    expect([ran.exitCode, experiment]).toMatchObject([
      0,
      {
        status: 'completed',
        progress: { done: 6, failed: 0 },
        report: {
          variants: [
            { name: 'now', people: { n: 3, matches: 0 } },
            { name: 'small', n: 3, flips: { flips: 0 }, negativeFlips: 0 },
          ],
          pairs: [{ a: 'now', b: 'small', verdict: 'not-enough', needed: 73 }],
        },
      },
    ]);
    ({ experimentId } = experiment);
    expect(await run(items)).toMatchObject({ exitCode: 0, lines: ['none'] });
    expect((await run(resume)).err).toContain('it is completed');
    expect((await run(cancel)).err).toContain('it is completed already');
    const { lines } = await run(['experiments', 'show', '<id>']);
    expect(lines.join('\n')).toContain('completed: 6 of 6 asked, 0 failed; 6 calls');
    expect(lines.join('\n')).toMatch(/small +3 +0 +0 % \(0 % to 56 %\) +░{11}·{9}/);
  });
});
