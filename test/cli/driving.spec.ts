import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redial } from '#lib/engine';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { CommandLine, TextSink } from './command-line.js';
import { circle, door, quarrel } from './machines.js';

describe('going on with sessions', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  /** A session that nobody has driven. */
  function begun(machine: Parameters<Redial['defineMachine']>[0]): Promise<string> {
    return withEngine({ dataDir: cli.dataDir }, new TextSink(), async ({ redial }) => {
      await redial.defineMachine(machine);
      return (await redial.createSession({ machineName: machine.machineName })).sessionId;
    });
  }

  describe('redial drive', () => {
    it('drives the session to the goal, and shows the new events and the final state', async () => {
      const sessionId = await begun(door);
      const { exitCode, lines, err } = await cli.run('drive', sessionId);
      expect([exitCode, err]).toEqual([0, '']);
      expect(lines[0]).toMatch(/^ {4}0\.000 s {2}ProposalSolicited +doorman is asked$/);
      expect(lines).toContainEqual(expect.stringMatching(/TransitionExecuted +closed ── push ──▶ open$/));
      expect(lines).toContain('  state    open (the goal, at rest)');
    });

    it('has nothing to show of a session at rest, and prints it all the same', async () => {
      const sessionId = await cli.session(door);
      const { exitCode, lines } = await cli.run('drive', sessionId, '--json');
      expect([exitCode, lines.map((line) => JSON.parse(line) as object)]).toEqual([
        0,
        [{ session: expect.objectContaining({ sessionId, status: 'done' }) }],
      ]);
    });

    it('ends with 6 where a person is needed, with 1 after --max-ticks, and with 4 for an unknown session', async () => {
      const waiting = await cli.run('drive', await begun(quarrel));
      expect([waiting.exitCode, waiting.err]).toEqual([
        6,
        expect.stringMatching(/^\[NeedsPerson\] [^]*\n {2}redial decide \S+ go --as lead /),
      ]);
      const endless = await cli.run('drive', await begun(circle), '--max-ticks', '2');
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
  });

  describe('redial tick', () => {
    it('takes one step of a session, and prints the result', async () => {
      const sessionId = await begun(quarrel);
      const first = await cli.run('tick', sessionId);
      expect([first.exitCode, first.lines]).toEqual([
        0,
        [`session ${sessionId}  quarrel  left: ann was asked`],
      ]);
      const second = await cli.run('tick', sessionId, '--json');
      expect(JSON.parse(second.out)).toMatchObject({ sessionId, status: 'solicited', specialistId: 'bob' });
      const third = await cli.run('tick', sessionId);
      expect([third.exitCode, third.lines, third.err]).toEqual([
        6,
        [`session ${sessionId}  quarrel  left: a person is needed: nobody has any alignment yet`],
        expect.stringContaining(`\n  redial decide ${sessionId} 'stay put' --as lead `),
      ]);
    });

    it('says that a session is at rest, with null for programs', async () => {
      const sessionId = await cli.session(door);
      expect((await cli.run('tick', sessionId)).lines).toEqual([`session ${sessionId} is at rest`]);
      expect((await cli.run('tick', sessionId, '--json')).out).toBe('null\n');
    });

    it('takes one step of every session without an id, and ends with 0 also where people are needed', async () => {
      expect(await cli.session(door)).not.toBe('');
      expect((await cli.run('tick')).lines).toEqual(['every session is at rest']);
      const waiting = await cli.session(quarrel);
      const { exitCode, lines } = await cli.run('tick');
      expect([exitCode, lines]).toEqual([
        0,
        [expect.stringMatching(`^session ${waiting} .*a person is needed`)],
      ]);
      const going = await begun(circle);
      const { items } = JSON.parse((await cli.run('tick', '--json')).out) as { items: object[] };
      expect(items).toEqual(
        expect.arrayContaining([expect.objectContaining({ sessionId: going, specialistId: 'walker' })]),
      );
    });
  });

  it('drives nothing else, also where REDIAL_DRIVE is on', async () => {
    const other = await begun(door);
    process.env['REDIAL_DRIVE'] = 'on';
    await cli.run('drive', await begun({ ...door, machineName: 'gate', specialists: [] }));
    delete process.env['REDIAL_DRIVE'];
    expect((await cli.run('inspect', other)).out).toContain('  state    closed (open)');
  });
});
