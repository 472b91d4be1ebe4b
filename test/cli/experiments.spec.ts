import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import type { Experiment } from '#lib/histories';
import { CommandLine } from './command-line.js';

const POINTS = 3;
const model = { modelId: 'gpt-4o', contextTemplate: 'Decide.' };
const refunds = {
  machineName: 'refunds',
  initialState: 'asked',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'triage', ...model },
    { role: 'proposer', specialistId: 'first', strategyFnName: 'firstAvailable' },
    { role: 'proposer', specialistId: 'boss', isHuman: true },
  ],
  states: { asked: { transitions: { pay: 'closed', refuse: 'closed' } }, closed: {} },
} as const;
const usage = { prompt_tokens: 1000, completion_tokens: 100 };
const paid = text({ transitionName: 'pay', toState: 'closed', reasoning: 'kind' }, { usage });
const question = { points: { machineName: 'refunds' }, variants: [{ name: 'now', specialistId: 'triage' }] };

/** Each command is a process of its own: an experiment goes on only where one waits for it. */
describe('redial experiment', () => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await CommandLine.open();
    cli.llm.enqueue(...Array.from({ length: POINTS }, () => paid));
    await cli.prepare(async (redial) => {
      await redial.defineMachine(refunds);
      for (let point = 0; point < POINTS; point += 1) {
        const { sessionId } = await redial.createSession({ machineName: 'refunds' });
        await redial.submitProposal({ sessionId, specialistId: 'triage' });
        await redial.submitArbitration({ sessionId, specialistId: 'boss', transitionName: 'refuse' });
      }
    });
  });
  afterAll(() => cli.close());

  /** Answers to all points. */
  const answer = (count: number) => cli.llm.enqueue(...Array.from({ length: count }, () => paid));
  const newest = async (): Promise<string> => {
    const { out } = await cli.run('experiments', 'list', '--json');
    return (JSON.parse(out) as { items: readonly { experimentId: string }[] }).items[0]?.experimentId ?? '';
  };

  it('shows an estimate as a table, also in Markdown, and says what is not known', async () => {
    const file = await cli.file('estimate.json', question);
    const { exitCode, lines } = await cli.run('experiment', 'run', file, '--dry-run');
    expect([exitCode, lines]).toEqual([
      0,
      [
        '3 points, 3 calls; by the recorded calls of the same points:',
        '  use         10 %  mean  90 %',
        '  tokens      3300  3300  3300',
        '  US dollars     -     -     -',
        'The cost is not known: a model has no price, or no call of these points reported its usage.',
      ],
    ]);
    const markdown = await cli.run('experiment', 'run', file, '--dry-run', '--markdown');
    expect(markdown.lines).toContain('| tokens | 3300 | 3300 | 3300 |');
  });

  it('names the experiment before its progress, and how to go on with it', async () => {
    answer(1);
    const ran = await cli.run(
      'experiment',
      'run',
      await cli.file('capped.json', { ...question, maxCalls: 1, concurrency: 1 }),
    );
    const experimentId = await newest();
    expect(ran.err.split('\n').slice(0, 2)).toEqual([
      `experiment ${experimentId}: 3 points of refunds`,
      `after an interruption: redial experiment resume ${experimentId}`,
    ]);
    expect(ran.out).toContain(
      'stopped by the limit of calls: 1 of 3 asked, 0 failed; 1 calls, 1100 tokens, cost not known\n',
    );
  });

  it('resumes to the end, and shows progress and report', async () => {
    const experimentId = await newest();
    const refused = await cli.run('experiment', 'resume', experimentId);
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('the limit is 1 calls')]);
    answer(POINTS - 1);
    const resumed = await cli.run('experiment', 'resume', experimentId, '--max-calls', '9', '--markdown');
    expect(resumed).toMatchObject({ exitCode: 0, err: expect.stringContaining('completed: 3 of 3 asked') });
    expect(resumed.lines[0]).toBe(`# experiment ${experimentId}: 3 points of refunds`);
    expect((await cli.run('experiment', 'resume', experimentId, '--max-calls', '10')).exitCode).toBe(1);
  });

  it('goes on with one whose process has ended', async () => {
    const variants = [{ name: 'first', specialistId: 'first' }];
    const many = { ...question, variants, samples: 20, concurrency: 1 };
    const { experimentId } = await cli.prepare(
      async (redial) => (await redial.startExperiment(many)) as Experiment,
    );
    const { exitCode, out } = await cli.run('experiment', 'resume', experimentId, '--json');
    expect([exitCode, JSON.parse(out)]).toMatchObject([
      0,
      { experimentId, status: 'completed', progress: { done: 20 * POINTS, failed: 0 } },
    ]);
  });
});
