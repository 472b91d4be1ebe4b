import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError, toolCall, text } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { circle, door, refunds } from './machines.js';

describe('redial run', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  const machineFile = (machine: object) => cli.file('machine.json', machine);

  it('asks the first proposer that can be asked, executes what it proposes, and goes on to the goal', async () => {
    cli.llm.enqueue(toolCall('approve', { amount: 12 }));
    const { exitCode, lines, err } = await cli.run(
      'run',
      await machineFile(refunds),
      '--meta',
      '{"text":"Cup"}',
    );
    expect([exitCode, err]).toEqual([0, '']);
    expect(lines.slice(0, 15).map((line) => line.trim().split(/\s+/)[2])).toEqual([
      'SessionCreated',
      'ProposalSolicited',
      'SolicitationStarted',
      'LlmCallRequested',
      'LlmCallCompleted',
      'SolicitationSucceeded',
      'ProposalSubmitted',
      'TransitionExecuted',
      'ProposalSolicited',
      'SolicitationStarted',
      'StrategyCallRequested',
      'StrategyCallCompleted',
      'SolicitationSucceeded',
      'ProposalSubmitted',
      'TransitionExecuted',
    ]);
    expect(lines).toContainEqual(expect.stringContaining('triage ── approve ──▶ payout  {"amount":12}'));
    expect(lines).toContain('  state    closed (the goal, at rest)');
    expect(cli.llm.requests[0]?.text).toContain('Request: Cup');
  });

  it('prints JSON lines with --json: every event, then the session', async () => {
    const { exitCode, lines } = await cli.run('run', await machineFile(door), '--json');
    expect(exitCode).toBe(0);
    const printed = lines.map((line) => JSON.parse(line) as { event?: { type: string }; session?: object });
    expect(printed.slice(0, -1).map(({ event }) => event?.type)).toEqual([
      'SessionCreated',
      'ProposalSolicited',
      'SolicitationStarted',
      'StrategyCallRequested',
      'StrategyCallCompleted',
      'SolicitationSucceeded',
      'ProposalSubmitted',
      'TransitionExecuted',
    ]);
    expect(printed[0]?.event).toMatchObject({ revision: 0, data: { machineName: 'door' } });
    expect(printed.at(-1)?.session).toMatchObject({ currentState: 'open', status: 'done', revision: 3 });
  });

  it('says what failed, shows where the session stands, and ends with 1 when a proposer fails', async () => {
    cli.llm.enqueue(httpError(500, 'down'));
    const { exitCode, out, err } = await cli.run('run', await machineFile(refunds));
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /^\[ProposerFailed\] clerk gave no proposal \(solicitation [0-9a-f-]{36}\): LLM API error \(500\): down\. Look at .*\.\n$/,
    );
    expect(out).toContain('clerk gave no proposal (http-error)');
    expect(out).toContain('  state    triage (open)');
  });

  it('stops with 6 where only a person can decide', async () => {
    cli.llm.enqueue(text('{"transitionName":"escalate","toState":"review"}'));
    const { exitCode, out, err } = await cli.run('run', await machineFile(refunds));
    expect([exitCode, err]).toEqual([
      6,
      expect.stringMatching(/^\[NeedsPerson\] session \S+ waits in review: /),
    ]);
    expect(out).toContain('  state    review (open)');
  });

  it('stops with 1 after --max-steps transitions', async () => {
    const { exitCode, out, err } = await cli.run('run', await machineFile(circle), '--max-steps', '3');
    expect([exitCode, err]).toEqual([1, expect.stringContaining('it is not at rest after 3 steps')]);
    expect(out.match(/TransitionExecuted/g)).toHaveLength(3);
  });

  it('tells a missing file, bad JSON and an invalid machine apart, and lists every problem', async () => {
    const missing = await cli.run('run', `${cli.folder}/none.json`);
    expect([missing.exitCode, missing.err]).toEqual([2, expect.stringContaining('there is no such file')]);
    const bad = await cli.run('run', await cli.file('bad.json', '{\n  "machineName": "door" 1\n}'));
    expect([bad.exitCode, bad.err]).toEqual([
      2,
      expect.stringMatching(/it is not JSON: .*line 2 column 25\)\. /),
    ]);
    const states = { a: { transitions: { go: 'nowhere', stay: 'void' } }, b: {} };
    const invalid = await cli.run(
      'run',
      await machineFile({ ...door, initialState: 'a', goalState: 'b', states }),
    );
    expect(invalid.exitCode).toBe(2);
    expect(invalid.err.split('\n')).toEqual([
      expect.stringMatching(/^\[InvalidInput\] \S+machine\.json: it is not a valid machine, 2 problems\. /),
      expect.stringMatching(/^ {2}\/states\/a\/transitions\/go.*nowhere/),
      expect.stringMatching(/^ {2}\/states\/a\/transitions\/stay.*void/),
      '',
    ]);
    expect([missing.out, bad.out, invalid.out]).toEqual(['', '', '']);
  });

  it('lists what is wrong with a declared specialist', async () => {
    const specialists = [{ role: 'proposer', specialistId: 'x', strategyFnName: 'unheardOf' }];
    const { exitCode, err } = await cli.run('run', await machineFile({ ...door, specialists }));
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/\n {2}\/specialists\/0 .*unheardOf/)]);
  });

  it('takes what the session is about from a file, and refuses what is no object', async () => {
    const metaFile = await cli.file('meta.json', { text: 'Cup' });
    const done = await cli.run('run', await machineFile(door), '--meta-file', metaFile, '--json');
    expect(JSON.parse(done.lines.at(-1) ?? '')).toMatchObject({ session: { metaJson: { text: 'Cup' } } });
    const refused = [
      ['--meta', '[1]'],
      ['--meta', '{'],
      ['--meta', '{}', '--meta-file', metaFile],
    ];
    for (const given of refused) {
      const { exitCode, err } = await cli.run('run', await machineFile(door), ...given);
      expect([exitCode, err]).toEqual([2, expect.stringMatching(/^\[InvalidInput\] /)]);
    }
  });

  it('refuses to ask a model without a key, before a call', async () => {
    delete process.env['OPENAI_API_KEY'];
    const { exitCode, err } = await cli.run('run', await machineFile(refunds));
    expect([exitCode, err]).toEqual([2, expect.stringContaining('OPENAI_API_KEY')]);
    expect(cli.llm.requests).toEqual([]);
  });

  it('warns of warnings, and of a specialist that stays as it was registered first', async () => {
    await cli.run('run', await machineFile(door));
    const [doorman] = door.specialists;
    const specialists = [{ ...doorman, strategyFnName: 'lastAvailable' }];
    const states = { ...door.states, cellar: {} };
    const { exitCode, err } = await cli.run('run', await machineFile({ ...door, specialists, states }));
    expect(exitCode).toBe(0);
    expect(err).toContain(
      'warning: /states/cellar: state "cellar" cannot be reached from the initial state\n',
    );
    expect(err).toContain('warning: specialist doorman was registered before');
  });
});
