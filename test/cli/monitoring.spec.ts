import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError, setEnvironment, text, toolCall } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { circle, door, quarrel, refunds } from './machines.js';

const usage = { usage: { prompt_tokens: 1000, completion_tokens: 100 } };

const renamed = ['cat', 'dan', 'umpire', 'chief'];
/** Decided by a person, and driven on. */
const feud = {
  ...quarrel,
  machineName: 'feud',
  specialists: quarrel.specialists.map((one, n) => ({ ...one, specialistId: renamed[n] ?? '' })),
};

describe('commands that watch', () => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await CommandLine.open();
    cli.llm.enqueue(
      toolCall('approve', { amount: 5 }, usage),
      text('{"transitionName":"escalate","toState":"review"}', usage),
      httpError(500, 'down'),
    );
    await cli.sessions(door, refunds, refunds, refunds);
    await cli.begun(circle);
    await decidedByHand(quarrel, 'lead');
    await cli.run('drive', await decidedByHand(feud, 'chief'));
  });

  afterAll(() => cli.close());

  /** A round that its arbiter left to a person, who chose as the first proposer did. */
  async function decidedByHand(machine: typeof quarrel, person: string): Promise<string> {
    const [sessionId = ''] = await cli.sessions(machine);
    await cli.run('decide', sessionId, 'go', '--as', person, '--reasoning', 'right is right');
    return sessionId;
  }

  describe('of a round that a person decided', () => {
    it('redial metrics shows how far a machine has come, who proposed what was decided, and what to watch', async () => {
      const { exitCode, lines, err } = await cli.run('metrics', 'quarrel');
      expect([exitCode, err]).toEqual([0, '']);
      expect(lines.slice(0, 4)).toEqual([
        'machine quarrel',
        '  decisions    1: 0 by models alone, 0 as a person proposed, 1 by people',
        '  collapse     0 % without a person, 0 % of the last 10',
        '  mean margin  -',
      ]);
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}ann +1 +1 +100 %$/));
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}bob +1 +0 +0 %$/));
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}ann +\(all\) +1 +1 +0\.207$/));
      expect(lines).toContainEqual(
        expect.stringMatching(/^ {2}warning {2}LOW_ALIGNMENT +The best alignment/),
      );
    });

    it('redial evaluate asks a specialist again about decisions of people, or compares its proposals of then', async () => {
      const anew = await cli.run('evaluate', 'ann');
      expect([anew.exitCode, anew.lines.slice(0, 2)]).toEqual([
        0,
        ['ann in 1 rounds of quarrel, against exemplars', '  same transition  1 (100 %)'],
      ]);
      const then = await cli.run('evaluate', 'bob', '--against', 'record', '--json');
      expect(JSON.parse(then.out)).toMatchObject({ specialistId: 'bob', rounds: 1, matchingChoices: 0 });
      expect((await cli.run('evaluate', 'lead', '--machine', 'quarrel')).exitCode).toBe(2);
    });

    it.each([
      ['--how', 'override', 1],
      ['--how', 'consensus', 0],
      ['--limit', '1', 1],
    ])('redial decisions is narrowed by %s %s', async (option, value, count) => {
      const { out } = await cli.run('decisions', 'quarrel', option, value, '--json');
      expect((JSON.parse(out) as { items: object[] }).items).toHaveLength(count);
    });

    it('redial decisions ends with 4 for a session that does not exist', async () => {
      expect((await cli.run('decisions', 'quarrel', '--session', 'nobody')).exitCode).toBe(4);
    });

    it('redial alignment scores by the rule that sessions go by, or by another one', async () => {
      const { lines } = await cli.run('alignment', 'quarrel');
      expect(lines[0]).toBe('rule wilson (version 1)');
      expect(lines).toContainEqual(expect.stringMatching(/^ {2}ann +\(all\) +1 +1 +0\.207$/));
      const { out } = await cli.run('alignment', 'quarrel', '--rule', 'ratio;halfLife=5', '--json');
      expect(JSON.parse(out)).toMatchObject({
        rule: 'ratio;halfLife=5',
        items: [
          { specialistId: 'ann', alignmentScore: 1 },
          { specialistId: 'bob', alignmentScore: 0 },
        ],
      });
    });
  });

  describe('of a session that went to its goal', () => {
    it('redial metrics prints one JSON document, and counts arbiters and operators apart', async () => {
      const { out } = await cli.run('metrics', 'door', '--json');
      expect(JSON.parse(out)).toMatchObject({ machineName: 'door', aiDecisions: 1, collapseRatio: 1 });
    });

    it('redial alignment says that nobody was compared yet, and refuses a rule that there is not', async () => {
      expect((await cli.run('alignment', 'door')).lines).toEqual([
        'no proposer was compared with a person yet',
      ]);
      const { exitCode, out, err } = await cli.run('alignment', 'door', '--rule', 'luck');
      expect([exitCode, out, err]).toEqual([2, '', expect.stringContaining('luck')]);
    });

    it('ends with 4 for a machine that nobody defined or ran', async () => {
      for (const command of ['metrics', 'decisions', 'alignment']) {
        const { exitCode, out, err } = await cli.run(command, 'dor');
        expect([exitCode, out, err]).toEqual([
          4,
          '',
          expect.stringMatching(/^\[UnknownMachine\] machine dor: /),
        ]);
      }
    });
  });

  describe('of sessions of two machines', () => {
    it('redial decisions lists them newest first, with who decided and what was proposed', async () => {
      const { exitCode, lines } = await cli.run('decisions', 'feud');
      expect(exitCode).toBe(0);
      expect(lines[0]).toMatch(/^ {2}decided at +session +decision +how +who +margin +proposed$/);
      expect(lines.at(-1)).toMatch(/left ── go ──▶ right +override +chief +- +cat: go, dan: stay put$/);
    });
  });

  it('redial decisions says that nothing was decided', async () => {
    expect((await cli.run('decisions', 'circle')).lines).toEqual(['no decisions']);
  });

  describe('redial models', () => {
    let restore: () => void;
    beforeEach(() => {
      restore = setEnvironment({ REDIAL_PRICES: undefined });
    });
    afterEach(() => restore());

    const model = (lines: readonly string[]) => lines.at(-1)?.trim().split(/ {2,}/);

    it('shows calls, tool calls, fallbacks, bad arguments, failures, tokens and latency; 0.2-O10: and where prices would come from', async () => {
      const { exitCode, lines } = await cli.run('models');
      expect(exitCode).toBe(0);
      const counts = ['gpt-4o-mini', '3', '1', '50 %', '0.33', '1', '0', '0', '2000', '200'];
      expect(model(lines)?.slice(0, 10)).toEqual(counts);
      expect(model(lines)?.slice(10).join(' ')).toMatch(/^\d+ \d+ \d+ 3 without a price in REDIAL_PRICES$/);
    });

    it('takes days, times and one machine', async () => {
      const today = new Date().toISOString().slice(0, 10);
      expect(model((await cli.run('models', '--by', 'day')).lines)?.[0]).toMatch(
        /^\d{4}-\d\d-\d\d gpt-4o-mini$/,
      );
      for (const none of [
        ['--to', '2020-01-01'],
        ['--from', `${Number(today.slice(0, 4)) + 1}-01-01T00:00:00Z`],
        ['--machine', 'door'],
      ]) {
        expect((await cli.run('models', ...none)).lines).toEqual(['no model was called']);
      }
    });

    it('prices the calls, by another version too, and refuses one that is not there', async () => {
      const priced = (version: string, from: string, inputPerMillion: number) => ({
        version,
        from,
        currency: 'USD',
        models: { 'gpt-4o-mini': { inputPerMillion, outputPerMillion: 0 } },
      });
      const prices = [priced('then', '2020-01-01', 150), priced('soon', '2999-01-01', 300)];
      process.env['REDIAL_PRICES'] = await cli.file('prices.json', prices);
      expect(model((await cli.run('models')).lines)?.at(-1)).toBe('0.300000 USD, 1 without a price');
      const { out } = await cli.run('models', '--prices', 'soon', '--json');
      expect(JSON.parse(out)).toMatchObject({
        items: [{ costs: [{ currency: 'USD', amount: 0.6 }], unpricedCalls: 1 }],
      });
      const { exitCode, err } = await cli.run('models', '--prices', 'never');
      expect([exitCode, err]).toEqual([
        2,
        expect.stringMatching(
          /^\[UnknownPriceVersion\] prices "never": the versions in the table are then, soon\./,
        ),
      ]);
    });
  });
});
