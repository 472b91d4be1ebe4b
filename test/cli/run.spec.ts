import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  heldBack,
  httpError,
  reply,
  ScriptedWebhookServer,
  setEnvironment,
  text,
  toolCall,
} from '#lib/activities/testing';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { CommandLine, TextSink } from './command-line.js';
import { circle, door, quarrel, refunds } from './machines.js';

describe('redial run', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  const machineFile = (machine: object) => cli.file('machine.json', machine);

  it('D-51: asks the available proposers, lets the arbiter decide, and continues to the goal', async () => {
    cli.llm.enqueue(toolCall('approve', { amount: 12 }));
    const { exitCode, lines, err } = await cli.run(
      'run',
      await machineFile(refunds),
      '--meta',
      '{"text":"Cup"}',
    );
    expect([exitCode, err]).toEqual([
      0,
      expect.stringMatching(/^token of lead, given only now: .*: lead\.\S{43}\n$/),
    ]);
    expect(lines.slice(0, 17).map((line) => line.trim().split(/\s+/)[2])).toEqual([
      'SessionCreated',
      'ProposalSolicited',
      'WorkflowStarted',
      'LlmCallRequested',
      'LlmCallCompleted',
      'WorkflowEnded',
      'ProposalSubmitted',
      'ConsensusReached',
      'TransitionExecuted',
      'ProposalSolicited',
      'WorkflowStarted',
      'FunctionCallRequested',
      'FunctionCallCompleted',
      'WorkflowEnded',
      'ProposalSubmitted',
      'ConsensusReached',
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
      'WorkflowStarted',
      'FunctionCallRequested',
      'FunctionCallCompleted',
      'WorkflowEnded',
      'ProposalSubmitted',
      'ConsensusReached',
      'TransitionExecuted',
    ]);
    expect(printed[0]?.event).toMatchObject({ revision: 0, data: { machineName: 'door' } });
    expect(printed.at(-1)?.session).toMatchObject({ currentState: 'open', status: 'done', revision: 4 });
  });

  const webhook = { webhookUrl: 'http://127.0.0.1:1/' };
  const ship = { description: 'Ships', parameters: { type: 'object' }, execution: webhook };
  const fenced = (code: string) => text(`\`\`\`tsx\n${code}\n\`\`\``);

  it('runs code: its programs, the calls with their results, what it writes, and its exit', async () => {
    cli.llm.enqueue(fenced('cart.total = 2;\nconsole.log("hi");\nawait ship();'));
    cli.llm.enqueue(fenced('return { action: "done", value: cart.total }; // all'));
    const cart = { name: 'cart', properties: [{ name: 'total', value: 1, writable: true }] };
    const exits = [{ name: 'done', description: 'The work is done' }];
    const input = { instructions: 'Add.', model: 'gpt-4o-mini', tools: ['ship'], objects: [cart], exits };
    const run = { workflow: 'code', input, tools: [{ ...ship, toolId: 'ship' }] };
    const { exitCode, lines, err } = await cli.run('run', await cli.file('code.json', run));
    expect([exitCode, err]).toEqual([0, '']);
    const at = (part: string) => lines.findIndex((line) => line.includes(part));
    const shown = [
      'program 1',
      'cart.total = 2',
      '│ await ship();',
      'log hi',
      '→ ship({})',
      '✗ ship({})',
      'program 2',
      'exit done 2',
    ];
    expect(shown.map(at)).not.toContain(-1);
    expect(shown.map(at)).toEqual(shown.map(at).toSorted((one, other) => one - other));
  });

  it('runs code until it needs a person, with 6 and the command that answers; refuses another workflow', async () => {
    cli.llm.enqueue(fenced('await ship();'));
    const tools = [{ ...ship, toolId: 'ship', policy: { needsApproval: true } }];
    const run = {
      workflow: 'code',
      input: { instructions: '', model: 'gpt-4o-mini', tools: ['ship'] },
      tools,
    };
    const waiting = await cli.run('run', await cli.file('code.json', run));
    expect(waiting.exitCode).toBe(6);
    expect(waiting.err).toMatch(
      /redial runs signal \S+ approval --await 'iteration-1-code.call-1-approval#1' --payload/,
    );
    const refused = await cli.run('run', await cli.file('other.json', { workflow: 'turn', input: {} }));
    expect([refused.exitCode, refused.err]).toEqual([
      2,
      expect.stringContaining('it names the workflow "turn"'),
    ]);
  });

  it('a run of code ends with 6 even when a call was open when a person was first needed', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    class Watched extends TextSink {
      override write(line: string): void {
        super.write(line);
        if (line.includes('SignalAwaited')) asked();
      }
    }
    const hook = await ScriptedWebhookServer.start([heldBack(reply({ body: '{"found":1}' }), isAsked)]);
    const restore = setEnvironment({ REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow' });
    cli.llm.enqueue(fenced('await Promise.all([find(), refund()]);'));
    const tool = { ...ship, execution: { webhookUrl: hook.url } };
    const tools = [
      { ...tool, toolId: 'find', policy: { concurrencySafe: true } },
      { ...tool, toolId: 'refund', policy: { needsApproval: true } },
    ];
    const input = { instructions: '', model: 'gpt-4o-mini', tools: ['find', 'refund'] };
    const file = await cli.file('code.json', { workflow: 'code', input, tools });
    const { exitCode, lines, err } = await cli
      .runInto(new Watched(), 'run', file, '--json', '--data-dir', cli.dataDir)
      .finally(restore);
    await hook.close();
    expect([exitCode, err]).toEqual([
      6,
      expect.stringMatching(/^\[NeedsPerson\] run .*\n {2}redial runs sig/),
    ]);
    const types = lines.map((line) => (JSON.parse(line) as { event?: { type: string } }).event?.type);
    expect(types.indexOf('ToolCallCompleted')).toBeGreaterThan(types.indexOf('SignalAwaited'));
  });

  it.each([
    ['a function', { fnName: 'unheardOf' }, 'unheardOf'],
    ['an MCP server', { mcpServer: 'nowhere', tool: 'ship' }, 'nowhere'],
  ])('a run of code ends with 5 where it needs %s that this process lacks', async (_, execution, missing) => {
    cli.llm.enqueue(fenced('await ship();'));
    const tools = [{ ...ship, toolId: 'ship', execution }];
    const input = { instructions: '', model: 'gpt-4o-mini', tools: ['ship'] };
    const { exitCode, err } = await cli.run(
      'run',
      await cli.file('code.json', { workflow: 'code', input, tools }),
    );
    expect(exitCode).toBe(5);
    expect(err).toMatch(new RegExp(`^\\[CannotPerform\\] .*${missing}`));
    expect(err.match(/CannotPerform/g)).toHaveLength(1);
  });

  it('X-S1: a command says which other runs recovery set aside', async () => {
    cli.llm.enqueue(fenced('await ship();'));
    const tools = [{ ...ship, toolId: 'ship', execution: { fnName: 'unheardOf' } }];
    const input = { instructions: '', model: 'gpt-4o-mini', tools: ['ship'] };
    await cli.run('run', await cli.file('code.json', { workflow: 'code', input, tools }));
    const err = new TextSink();
    await withEngine({ dataDir: cli.dataDir }, err, () => err.written);
    expect(err.text).toMatch(/^\S+ is set aside: \[CannotPerform\] .*unheardOf/);
  });

  it('waits for a person, with 6, when a proposer fails, and says how to ask it again', async () => {
    cli.llm.enqueue(httpError(500, 'down'));
    const { exitCode, out, err } = await cli.run('run', await machineFile(refunds));
    expect(exitCode).toBe(6);
    expect(out).toContain('clerk gave no proposal (http-error)');
    expect(out).toContain('LLM API error (500): down');
    expect(out).toContain('  state    triage (waits for a person)');
    expect(err).toContain('or ask a proposer again with redial propose.');
    expect(cli.llm.requests).toHaveLength(1);
  });

  it('stops with 6 when only a person can decide: says why, what was proposed, and the commands', async () => {
    const { exitCode, out, err } = await cli.run('run', await machineFile(quarrel));
    expect(exitCode).toBe(6);
    expect(out).toContain('ConsensusNotReached      judge sees no consensus: nobody has any alignment yet');
    expect(out).toContain('  state    left (waits for a person)');
    const [, id = ''] = /session (\S+)/.exec(out) ?? [];
    expect(err.split('\n').slice(1)).toEqual([
      expect.stringMatching(
        `^\\[NeedsPerson\\] session ${id} waits for a person in left: nobody has any alignment yet\\. Decide with one of these commands\\.$`,
      ),
      expect.stringMatching(/^ {2}specialist +proposes +status +said$/),
      expect.stringMatching(/^ {2}ann +go → right +open +"/),
      expect.stringMatching(/^ {2}bob +stay put → done +open +"/),
      `  redial decide ${id} go --as lead --data-dir ${cli.dataDir}`,
      `  redial decide ${id} 'stay put' --as lead --data-dir ${cli.dataDir}`,
      '',
    ]);
  });

  it('D-51: runs the machine of a file that stands in place of a command', async () => {
    const { exitCode, lines } = await cli.run(await machineFile(door));
    expect(exitCode).toBe(0);
    expect(lines).toContainEqual(expect.stringContaining('(the goal, at rest)'));
  });

  it('has a person registered first when there is none', async () => {
    const specialists = quarrel.specialists.filter(({ specialistId }) => specialistId !== 'lead');
    const { exitCode, err } = await cli.run('run', await machineFile({ ...quarrel, specialists }));
    expect([exitCode, err]).toEqual([
      6,
      expect.stringContaining('. Register a person and decide with one of '),
    ]);
    expect(err).toContain('\n  redial specialists register somebody --machine quarrel --human ');
    expect(err).toMatch(/\n {2}redial decide \S+ go --as somebody /);
  });

  it('X-T5: decides by the first transition and the first proposal when a machine has nobody', async () => {
    const { specialists: _nobody, ...bare } = door;
    const { exitCode, out } = await cli.run('run', await machineFile(bare));
    expect([exitCode, out]).toEqual([0, expect.stringContaining('  state    open (the goal, at rest)')]);
    expect(out).toMatch(/the default proposer proposes push → open/);
    expect(out).toMatch(/the default arbiter sees consensus/);
  });

  it('creates the session as the person of the token: one whose creator may not decide is refused to a caller who is none', async () => {
    const people = { people: ['eve'], exclude: ['creator'] };
    const file = await machineFile({
      machineName: 'asking',
      initialState: 'asked',
      goalState: 'paid',
      states: { asked: { transitions: { pay: 'paid' }, people }, paid: {} },
    });
    const refused = await cli.run('run', file);
    expect(refused.err).toContain('the caller is no person');
    const { token } = await withEngine({ dataDir: cli.dataDir }, new TextSink(), ({ redial }) =>
      redial.registerPerson({ personId: 'ann', role: 'reviewer' }),
    );
    const { out } = await cli.run('run', file, '--json', '--token', token ?? '');
    const created = out.split('\n').find((line) => line.includes('SessionCreated')) ?? '{}';
    expect(JSON.parse(created)).toMatchObject({ event: { data: { by: 'ann' } } });
  });

  it('stops with 1 after --max-steps transitions', async () => {
    const { exitCode, out, err } = await cli.run('run', await machineFile(circle), '--max-steps', '3');
    expect([exitCode, err]).toEqual([1, expect.stringContaining('it is not at rest after 3 steps')]);
    expect(out.match(/TransitionExecuted/g)).toHaveLength(3);
  });

  it('D-6: tells a missing file, bad JSON and an invalid machine apart, and lists every problem', async () => {
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

  it('takes what the session is about from a file, and refuses what is not an object', async () => {
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

  it('X-T3: warns of warnings, and runs with a specialist that was changed', async () => {
    await cli.run('run', await machineFile(door));
    const [doorman] = door.specialists;
    const specialists = [{ ...doorman, strategyFnName: 'lastAvailable' }];
    const states = { ...door.states, cellar: {} };
    const changed = await machineFile({ ...door, specialists, states });
    const { exitCode, err } = await cli.run('run', changed);
    expect(exitCode).toBe(0);
    expect(err).toContain(
      'warning: /states/cellar: state "cellar" cannot be reached from the initial state\n',
    );
    const { out } = await cli.run('specialists', 'list', '--json');
    const { items } = JSON.parse(out) as { items: object[] };
    expect(items).toContainEqual(
      expect.objectContaining({ specialistId: 'doorman', version: 2, strategyFnName: 'lastAvailable' }),
    );
  });

  it('chats with an agent: a message for each line, approvals by y or n, what happens beside it; the conversation is inspected and replayed', async () => {
    const tool = ['tools', 'add', 'pay', '--description', 'Pays', '--parameters', '{"type":"object"}'];
    const execution = '{"webhookUrl":"https://example.com/pay"}';
    await cli.run(...tool, '--execution', execution, '--policy', '{"needsApproval":true}');
    const steps = [{ id: 'do', prompt: 'Pay', tools: ['pay'] }];
    const agent = {
      agentName: 'payer',
      model: 'gpt-4o-mini',
      flows: [{ id: 'paying', title: 'Paying', reentrant: true, steps }],
    };
    const route = text({ intent: 'pay', scores: { paying: 90 } });
    cli.llm.enqueue(
      route,
      toolCall('pay', {}),
      text({ message: 'Not paid.' }),
      route,
      httpError(400, 'no such model'),
    );
    cli.typed = Readable.from(['Pay', '', 'n', 'Again']);
    const { exitCode, out, err } = await cli.run('chat', await cli.file('agent.json', agent));
    expect([exitCode, out]).toEqual([0, 'Not paid.\n']);
    expect(err).toMatch(
      /^conversation \S+ with payer version 1\n {2}waits for approval of .*"toolId":"pay".*: y or n\n/,
    );
    expect(err).toContain('  paying/do · pay failed · completed\n[TurnNotTaken] turn ');
    const [, id = ''] = /^conversation (\S+)/.exec(err) ?? [];
    expect((await cli.run('replay', '--all')).lines).toEqual([
      expect.stringMatching(
        new RegExp(`^replay: identical \\(\\d+ events, 0 calls\\) {2}conversation ${id}$`),
      ),
    ]);
    expect((await cli.run('replay', id)).exitCode).toBe(0);
    expect((await cli.run('inspect', id)).lines).toEqual([
      `conversation ${id}`,
      '  agent   payer version 1',
      '  status  completed',
      '  data    {}',
      expect.stringMatching(/^ {2}models +5 calls, /),
      '',
      '> Pay',
      '  paying/do · pay failed · completed',
      '< Not paid.',
      '',
      '> Again',
      expect.stringMatching(/^< \(failed\) /),
    ]);
  });
});
