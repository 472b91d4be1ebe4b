import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError, toolCall } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { door, quarrel, refunds } from './machines.js';

const MACHINES = ['decided', 'ended', 'open', 'proposed', 'judged', 'guarded'] as const;

describe('redial inbox', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  it('shows who waits, why, what was proposed, and the commands that decide; takes one machine, and prints one JSON document', async () => {
    await cli.sessions(door);
    expect((await cli.run('inbox')).lines).toEqual(['no session or run waits for a person']);
    const [sessionId = ''] = await cli.sessions(quarrel);
    const { exitCode, lines } = await cli.run('inbox');
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(`^session ${sessionId}  quarrel in left, waits since 20`),
      '  Where to?',
      '  a person is needed: nobody has any alignment yet',
      expect.stringMatching(/^ {2}specialist +proposes/),
      expect.stringMatching(/^ {2}ann +go → right/),
      expect.stringMatching(/^ {2}bob +stay put → done/),
      `  redial decide ${sessionId} go --as lead --data-dir ${cli.dataDir}`,
      `  redial decide ${sessionId} 'stay put' --as lead --data-dir ${cli.dataDir}`,
    ]);
    const { out } = await cli.run('inbox', '--machine', 'quarrel', '--json');
    expect(JSON.parse(out)).toMatchObject({
      items: [{ sessionId, reason: 'no-consensus', people: ['lead'], proposals: [{}, {}] }],
    });
    expect((await cli.run('inbox', '--machine', 'door')).lines).toEqual([
      'no session or run waits for a person',
    ]);
  });

  it('prints the arguments that a transition requires, by name and type, with its command', async () => {
    const parameters = {
      type: 'object',
      properties: { amount: { type: 'number' }, note: { type: 'string' }, why: { enum: ['a', 'b'] } },
      required: ['amount', 'why'],
    };
    const go = { target: 'right', parameters, onInvalidArguments: 'reject' };
    const left = { transitions: { go, 'stay put': 'done' } };
    const [sessionId = ''] = await cli.sessions({ ...quarrel, states: { ...quarrel.states, left } });
    const { lines } = await cli.run('inbox');
    const there = `--data-dir ${cli.dataDir}`;
    expect(lines.slice(-2)).toEqual([
      `  redial decide ${sessionId} go --as lead --args '{"amount":<number>,"why":<json>}' ${there}`,
      `  redial decide ${sessionId} 'stay put' --as lead ${there}`,
    ]);
    const filled = ['--as', 'lead', '--args', '{"amount":5,"why":"a"}'];
    expect(await cli.run('decide', sessionId, 'go', ...filled)).toMatchObject({
      exitCode: 0,
      err: expect.any(String),
    });
  });

  it('prints the command that accepts a proposal with its arguments', async () => {
    const ann = { role: 'proposer', specialistId: 'ann', modelId: 'm', contextTemplate: 'Go?' };
    const parameters = { type: 'object', properties: { far: { type: 'number' } }, required: ['far'] };
    const left = { transitions: { go: { target: 'right', parameters }, 'stay put': 'done' } };
    cli.llm.enqueue(toolCall('go', { far: 5 }));
    const specialists = [ann, ...quarrel.specialists.slice(1)];
    await cli.sessions({ ...quarrel, specialists, states: { ...quarrel.states, left } });
    const { lines } = await cli.run('inbox');
    const [, ...words] = lines.at(-3)?.trim().split(' ') ?? [];
    expect(words).toEqual(expect.arrayContaining(['decide', '--accept', '--as', 'lead']));
    expect((await cli.runBare(...words)).out).toContain('decided: go → right  {"far":5}');
  });

  it('names the person who decided, beside the human specialist as whom they did', async () => {
    const lead = { role: 'proposer', specialistId: 'lead', isHuman: true, personId: 'mia' };
    const specialists = quarrel.specialists.map((one) => (one.specialistId === 'lead' ? lead : one));
    await cli.prepare((redial) => redial.registerPerson({ personId: 'mia', role: 'reviewer' }));
    const [sessionId = ''] = await cli.sessions({ ...quarrel, specialists });
    expect(await cli.run('decide', sessionId, 'go', '--as', 'lead')).toMatchObject({ exitCode: 0 });
    const { out } = await cli.run('inspect', sessionId, '--all');
    expect(out).toMatch(/round 1 {2}left ── go ──▶ right {2}decided by mia \(a person\) as lead/);
    expect(out).toContain('mia (a person) as lead decides go → right');
  });

  it('prints the answer to the task as a candidate where the definition names who decides', async () => {
    const specialists = quarrel.specialists.filter(({ specialistId }) => specialistId !== 'lead');
    await cli.prepare((redial) => redial.registerPerson({ personId: 'ida', role: 'reviewer' }));
    await cli.sessions({ ...quarrel, specialists, people: { people: ['ida'] } });
    const { lines } = await cli.run('inbox');
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^ {2}redial tasks answer \S+ --transition go --act-as ida --data-dir /),
      expect.stringMatching(/^ {2}redial tasks answer \S+ --transition 'stay put' --act-as ida --data-dir /),
    ]);
    expect(lines.join('\n')).not.toContain('specialists register');
    const [, ...words] = (lines.at(-2) ?? '').trim().split(' ');
    expect(await cli.runBare(...words)).toMatchObject({ exitCode: 0 });
  });

  it('shows runs that wait for an approval, and the command that answers', async () => {
    cli.llm.enqueue(toolCall('refund', { order: 7 }));
    const runId = await cli.prepare(async (redial) => {
      await redial.registerTool({
        toolId: 'refund',
        description: 'Refunds an order',
        parameters: { type: 'object' },
        execution: { webhookUrl: 'http://127.0.0.1:9/refund' },
        policy: { needsApproval: true },
      });
      const prompts = { systemPrompt: 'You help.', userPrompt: 'Refund order 7.' };
      const input = { ...prompts, model: 'gpt-4o-mini', tools: ['refund'], maxRounds: 1 };
      return (await redial.startRun({ workflow: 'planner', input, waitMs: 10_000 })).runId;
    });
    const { lines } = await cli.run('inbox');
    expect(lines).toEqual([
      expect.stringMatching(`^run ${runId}  planner, waits for approval since 20`),
      expect.stringContaining('"toolId":"refund"'),
      `  redial runs signal ${runId} approval --await 'round-1.call-1-approval#1' --payload '<json>' --data-dir ${cli.dataDir}`,
    ]);
    const waited = ['--await', 'round-1.call-1-approval#1'];
    const answer = ['--payload', '{"approved":false}'];
    const answered = await cli.run('runs', 'signal', runId, 'approval', ...waited, ...answer);
    expect([answered.exitCode, answered.err]).toEqual([0, '']);
    expect((await cli.run('inbox')).lines).toEqual(['no session or run waits for a person']);
  });
});

describe('people and arbiters decide', () => {
  let cli: CommandLine;
  /** Sessions that wait for a person, each of a machine of its own: alignment is that of one machine. */
  let waiting: { readonly [machine in (typeof MACHINES)[number]]: string };
  let unproposed: string;
  let token: string;

  beforeAll(async () => {
    cli = await CommandLine.open();
    await cli.prepare(async (redial) => {
      token = (await redial.defineMachine(quarrel)).actorTokens?.['lead'] ?? '';
      unproposed = (await redial.createSession({ machineName: 'quarrel' })).sessionId;
    });
    const eager = { role: 'arbiter', specialistId: 'eager', strategyFnName: 'firstProposal' };
    const specialists = [...quarrel.specialists, eager];
    const ids = await cli.sessions(
      ...MACHINES.map((machineName) => ({ ...quarrel, machineName, specialists })),
    );
    waiting = Object.fromEntries(MACHINES.map((machine, n) => [machine, ids[n]])) as typeof waiting;
  });

  afterAll(() => cli.close());
  afterEach(() => {
    delete process.env['REDIAL_ACTOR_TOKEN'];
  });

  describe('redial decide', () => {
    it('decides as a person, with reasons, and prints the next command', async () => {
      const sessionId = waiting.decided;
      const why = ['--reasoning', 'I know', '--meta', '{"a":1}'];
      const { exitCode, lines, err } = await cli.run('decide', sessionId, 'go', '--as', 'lead', ...why);
      expect([exitCode, lines, err]).toEqual([
        0,
        ['decided: go → right  {"a":1}  "I know"  (Human override accepted)'],
        `continue with redial drive ${sessionId}\n`,
      ]);
      expect((await cli.run('inspect', sessionId)).out).toContain('lead (a person) decides go → right');
    });

    it('prints the result as one JSON document, and no way on at the goal', async () => {
      const { out, err } = await cli.run('decide', waiting.ended, 'stay put', '--as', 'lead', '--json');
      expect([JSON.parse(out), err]).toEqual([
        expect.objectContaining({ executed: true, isHuman: true, toState: 'done' }),
        '',
      ]);
    });

    it('needs no token when the log can be written to, and checks one that is given', async () => {
      const decide = (...more: readonly string[]) =>
        cli.run('decide', waiting.guarded, 'go', '--as', 'lead', ...more);
      const refused = [
        2,
        '',
        expect.stringMatching(
          /^\[Unauthorized\] the request: its Redial-Actor-Token is not the token of a person/,
        ),
      ];
      const wrong = await decide('--token', 'wrong');
      expect([wrong.exitCode, wrong.out, wrong.err]).toEqual(refused);
      const empty = await decide('--token', '');
      expect([empty.exitCode, empty.out, empty.err]).toEqual(refused);
      process.env['REDIAL_ACTOR_TOKEN'] = 'wrong';
      const inherited = await decide();
      expect([inherited.exitCode, inherited.out, inherited.err]).toEqual(refused);
      expect((await decide('--token', token)).exitCode).toBe(0);
    });

    it.each([
      [
        'a transition that is not offered',
        ['jump', '--as', 'lead'],
        2,
        /^\[InvalidTransition\] Invalid transition "jump"/,
      ],
      ['somebody who is no person', ['go', '--as', 'ann'], 2, /NotDecided.*Only human specialists/],
      ['somebody whom nobody knows', ['go', '--as', 'eve'], 4, /^\[UnknownSpecialist\] /],
      ['data that is no object', ['go', '--as', 'lead', '--meta', '7'], 2, /^\[InvalidInput\] --meta: /],
    ])('refuses %s', async (_, argv, code, words) => {
      const { exitCode, out, err } = await cli.run('decide', waiting.open, ...argv);
      expect([exitCode, out, err]).toEqual([code, '', expect.stringMatching(words)]);
    });
  });

  describe('redial propose', () => {
    it('states a proposal, of a person too', async () => {
      const sessionId = waiting.proposed;
      const why = ['--reasoning', 'why not'];
      const { exitCode, lines } = await cli.run('propose', sessionId, 'go', '--as', 'lead', ...why);
      expect([exitCode, lines[1]]).toEqual([
        0,
        expect.stringMatching(/^ {2}lead +go → right +open +"why not"$/),
      ]);
      const again = await cli.run('propose', sessionId, 'go', '--as', 'lead', '--token', 'wrong');
      expect([again.exitCode, again.err]).toEqual([2, expect.stringMatching(/^\[Unauthorized\] /)]);
    });

    it('asks the specialist when nothing is stated, once more after a failure too', async () => {
      cli.llm.enqueue(httpError(500, 'down'), httpError(500, 'down'), toolCall('approve', { amount: 5 }));
      const [sessionId = ''] = await cli.sessions(refunds);
      const failed = await cli.run('propose', sessionId, '--as', 'clerk');
      expect([failed.exitCode, failed.out, failed.err]).toEqual([
        1,
        '',
        expect.stringMatching(/^\[ProposerFailed\] clerk gave no proposal .*down/),
      ]);
      const { out } = await cli.run('propose', sessionId, '--as', 'clerk', '--json');
      expect(JSON.parse(out)).toMatchObject({ transitionName: 'approve', metaJson: { amount: 5 } });
    });

    it('refuses a transition that is not offered', async () => {
      const { exitCode, err } = await cli.run('propose', waiting.open, 'jump', '--as', 'lead');
      expect([exitCode, err]).toEqual([2, expect.stringContaining('jump')]);
    });
  });

  describe('redial arbitrate', () => {
    it('executes consensus, and says where there is none', async () => {
      const sessionId = waiting.judged;
      const none = await cli.run('arbitrate', sessionId);
      expect([none.exitCode, none.lines]).toEqual([
        0,
        ['not decided: No consensus: nobody has any alignment yet'],
      ]);
      const { out } = await cli.run('arbitrate', sessionId, '--arbiter', 'eager', '--json');
      expect(JSON.parse(out)).toMatchObject({ executed: true, transitionName: 'go', toState: 'right' });
    });

    it('ends with 2 when there is nothing to judge', async () => {
      const { exitCode, out, err } = await cli.run('arbitrate', unproposed);
      expect([exitCode, out, err]).toEqual([
        2,
        '',
        expect.stringMatching(/^\[NotDecided\] session \S+ was not decided: No proposals submitted/),
      ]);
    });
  });

  describe('redial consensus', () => {
    it('says what the arbiter sees, and writes nothing', async () => {
      const sessionId = waiting.open;
      const { exitCode, lines } = await cli.run('consensus', sessionId);
      expect([exitCode, lines[0]]).toEqual([0, 'no consensus: nobody has any alignment yet']);
      expect(lines).toContain('  threshold  0.50');
      const view = await cli.run('consensus', sessionId, '--json');
      expect(JSON.parse(view.out)).toMatchObject({ consensusReached: false, threshold: 0.5 });
      expect((await cli.run('consensus', 'nobody')).exitCode).toBe(4);
    });
  });
});
