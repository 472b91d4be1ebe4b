import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { circle, door, quarrel } from './machines.js';

describe('going on with sessions', () => {
  let cli: CommandLine;
  let atRest: string;
  let going: { readonly [machine in 'door' | 'gate' | 'quarrel' | 'stepped' | 'circle']: string };

  beforeAll(async () => {
    cli = await CommandLine.open();
    [atRest = ''] = await cli.sessions({ ...door, machineName: 'rest' });
    const gate = { ...door, machineName: 'gate', specialists: [] };
    const stepped = { ...quarrel, machineName: 'stepped' };
    const machines = [door, gate, quarrel, stepped, circle];
    const ids = await cli.begun(...machines);
    going = Object.fromEntries(machines.map(({ machineName }, n) => [machineName, ids[n]])) as typeof going;
  });

  afterAll(() => cli.close());

  describe('redial drive', () => {
    it('drives the session to the goal, and shows the new events and the final state; it drives nothing else, even when REDIAL_DRIVE is on', async () => {
      process.env['REDIAL_DRIVE'] = 'on';
      const { exitCode, lines, err } = await cli.run('drive', going.door);
      delete process.env['REDIAL_DRIVE'];
      expect([exitCode, err]).toEqual([0, '']);
      expect(lines[0]).toMatch(/^ {4}0\.000 s {2}ProposalSolicited +doorman is asked$/);
      expect(lines).toContainEqual(expect.stringMatching(/TransitionExecuted +closed ── push ──▶ open$/));
      expect(lines).toContain('  state    open (the goal, at rest)');
      expect((await cli.run('inspect', going.gate)).out).toContain('  state    closed (open)');
    });

    it('has nothing to show of a session at rest, and prints it all the same', async () => {
      const { exitCode, lines } = await cli.run('drive', atRest, '--json');
      expect([exitCode, lines.map((line) => JSON.parse(line) as object)]).toEqual([
        0,
        [{ session: expect.objectContaining({ sessionId: atRest, status: 'done' }) }],
      ]);
    });

    it('ends with 6 when a person is needed, with 1 after --max-ticks, and with 4 for an unknown session', async () => {
      const waiting = await cli.run('drive', going.quarrel);
      expect([waiting.exitCode, waiting.err]).toEqual([
        6,
        expect.stringMatching(/^\[NeedsPerson\] [^]*\n {2}redial decide \S+ go --as lead /),
      ]);
      const endless = await cli.run('drive', going.circle, '--max-ticks', '2');
      expect([endless.exitCode, endless.err]).toEqual([
        1,
        expect.stringMatching(/^\[StepLimit\] .* after 2 steps\. .* raise --max-ticks\.\n$/),
      ]);
      const unknown = await cli.run('drive', 'nobody');
      expect([unknown.exitCode, unknown.out, unknown.err]).toEqual([
        4,
        '',
        expect.stringMatching(/^\[UnknownSession\] /),
      ]);
    });

    it('prints the command that answers the task of a proposer whose run waits for a person', async () => {
      const called = [
        '--execution',
        '{"webhookUrl":"http://127.0.0.1:9/"}',
        '--policy',
        '{"needsApproval":true}',
      ];
      expect(
        (
          await cli.run(
            'tools',
            'add',
            'look',
            '--description',
            'Looks',
            '--parameters',
            '{"type":"object"}',
            ...called,
          )
        ).exitCode,
      ).toBe(0);
      const input = { systemPrompt: 'Decide.', userPrompt: 'Open?', model: 'gpt-4o-mini', tools: ['look'] };
      const porter = { role: 'proposer', specialistId: 'porter', workflow: { name: 'planner', input } };
      const machine = { ...door, machineName: 'asking', specialists: [porter] };
      cli.llm.enqueue(toolCall('look', {}));
      const waiting = await cli.run('run', await cli.file('asking.json', machine));
      expect([waiting.exitCode, waiting.err]).toEqual([
        6,
        expect.stringMatching(
          /waits for a person: Approve look\. [^]*\n {2}redial tasks answer \S+ --approve --data-dir/,
        ),
      ]);
    });
  });

  describe('redial tick', () => {
    it('takes one step of a session, and prints the result', async () => {
      const sessionId = going.stepped;
      const first = await cli.run('tick', sessionId);
      expect([first.exitCode, first.lines]).toEqual([
        0,
        [`session ${sessionId}  stepped  left: ann was asked`],
      ]);
      const second = await cli.run('tick', sessionId, '--json');
      expect(JSON.parse(second.out)).toMatchObject({ sessionId, status: 'solicited', specialistId: 'bob' });
      const third = await cli.run('tick', sessionId);
      expect([third.exitCode, third.lines, third.err]).toEqual([
        6,
        [`session ${sessionId}  stepped  left: a person is needed: nobody has any alignment yet`],
        expect.stringContaining(`\n  redial decide ${sessionId} 'stay put' --as lead `),
      ]);
    });

    it('says that a session is at rest, with null for programs', async () => {
      expect((await cli.run('tick', atRest)).lines).toEqual([`session ${atRest} is at rest`]);
      expect((await cli.run('tick', atRest, '--json')).out).toBe('null\n');
    });
  });
});

it('redial tick takes one step of every session without an id, and ends with 0 even when people are needed', async () => {
  const cli = await CommandLine.open();
  await cli.sessions(door);
  expect((await cli.run('tick')).lines).toEqual(['every session is at rest']);
  const [waiting = ''] = await cli.sessions(quarrel);
  const { exitCode, lines } = await cli.run('tick');
  expect([exitCode, lines]).toEqual([0, [expect.stringMatching(`^session ${waiting} .*a person is needed`)]]);
  const [sessionId] = await cli.begun(circle);
  const { items } = JSON.parse((await cli.run('tick', '--json')).out) as { items: object[] };
  expect(items).toContainEqual(expect.objectContaining({ sessionId, specialistId: 'walker' }));
  await cli.close();
});
