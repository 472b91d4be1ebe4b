import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError, toolCall } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';

const lead = { role: 'proposer', specialistId: 'lead', isHuman: true };
const arbiter = { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' };
const clerk = {
  role: 'proposer',
  specialistId: 'clerk',
  modelId: 'gpt-4o-mini',
  contextTemplate: 'Spam? {{metaJson.text}}',
};
const spam = {
  gateId: 'spam',
  prompt: 'Is it spam?',
  choices: { keep: { description: 'Let it pass' }, drop: { description: 'Throw it away' } },
  specialists: [clerk, arbiter, lead],
};

describe('redial gate', () => {
  let cli: CommandLine;

  beforeEach(async () => {
    cli = await CommandLine.open();
  });

  afterEach(() => cli.close());

  const create = async (gate: object = spam) => cli.run('gates', 'create', await cli.file('gate.json', gate));

  it('creates a gate, shows it, lists it, and gives the token of its human once', async () => {
    const { exitCode, lines, err } = await create();
    const shown = [
      'gate spam version 1',
      '  question     Is it spam?',
      '  choices      keep | drop',
      '  specialists  clerk, judge, lead',
    ];
    expect([exitCode, lines, err]).toEqual([
      0,
      shown,
      expect.stringMatching(/^token of lead, .*: lead\.\S{43}\n$/),
    ]);
    expect((await create()).err).toBe('');
    expect((await cli.run('gates', 'show', 'spam')).lines).toEqual(shown);
    expect((await cli.run('gates', 'list')).lines).toEqual([
      expect.stringMatching(/^ {2}gate +version +choices +question$/),
      expect.stringMatching(/^ {2}spam +1 +keep \| drop +Is it spam\?$/),
    ]);
    const { items } = JSON.parse((await cli.run('gates', 'list', '--json')).out) as { items: object[] };
    expect(items).toMatchObject([{ gateId: 'spam', version: 1 }]);
  });

  it('has everybody asked and the arbiter judge, and tells what it took', async () => {
    await create();
    cli.llm.enqueue(toolCall('drop', {}, { usage: { prompt_tokens: 30, completion_tokens: 5 } }));
    const { exitCode, lines, err } = await cli.run('gates', 'invoke', 'spam', '--meta', '{"text":"Win!"}');
    expect([exitCode, err]).toEqual([0, '']);
    expect(lines[0]).toMatch(/^gate spam: drop/);
    expect(lines[2]).toMatch(/^ {2}took +\d+ ms, 30 tokens in, 5 out$/);
    expect(lines.at(-1)).toMatch(/^ {2}clerk +drop → \S+ +won/);
    expect(cli.llm.requests[0]?.text).toContain('Spam? Win!');
    expect((await cli.run('metrics', 'spam')).lines[1]).toBe(
      '  decisions    1: 1 by models alone, 0 as a person proposed, 0 by people',
    );
  });

  it('ends with 6 when the run of a proposer waits for a person, and prints the command that answers', async () => {
    const called = [
      '--execution',
      '{"webhookUrl":"http://127.0.0.1:9/"}',
      '--policy',
      '{"needsApproval":true}',
    ];
    const tool = ['--description', 'Pays', '--parameters', '{"type":"object"}', ...called];
    expect((await cli.run('tools', 'add', 'pay', ...tool)).exitCode).toBe(0);
    const input = { systemPrompt: 'Decide.', userPrompt: 'Spam?', model: 'gpt-4o-mini', tools: ['pay'] };
    const agent = { role: 'proposer', specialistId: 'agent', workflow: { name: 'planner', input } };
    await create({ ...spam, specialists: [agent, arbiter] });
    cli.llm.enqueue(toolCall('pay', {}));
    const { exitCode, lines, err } = await cli.run('gates', 'invoke', 'spam');
    const [, sessionId = ''] = /session {2}(\S+)/.exec(lines.join('\n')) ?? [];
    expect([exitCode, err]).toEqual([
      6,
      expect.stringContaining(`session ${sessionId} waits for a person: Approve pay.`),
    ]);
    const [, taskId = ''] = /redial tasks answer (\S+) --approve/.exec(err) ?? [];
    const tick = await cli.run('tick', sessionId);
    expect([tick.exitCode, tick.err]).toEqual([6, expect.stringContaining(`redial tasks answer ${taskId} `)]);
    expect(JSON.parse((await cli.run('tasks', 'show', taskId, '--json')).out)).toMatchObject({
      status: 'open',
      about: { sessionId },
    });
  });

  it('ends with 6 when a person is needed, says who failed, and prints the command that decides', async () => {
    await create();
    cli.llm.enqueue(httpError(500, 'down'));
    const { exitCode, lines, err } = await cli.run('gates', 'invoke', 'spam');
    expect([exitCode, lines[0], lines[3]]).toEqual([
      6,
      'gate spam: not decided',
      '  clerk gave no proposal (http-error): LLM API error (500): down',
    ]);
    const [, sessionId = ''] = /session {2}(\S+)/.exec(lines.join('\n')) ?? [];
    expect(err).toContain(`\n  redial decide ${sessionId} keep --as lead --data-dir ${cli.dataDir}\n`);
    expect((await cli.run('decide', sessionId, 'keep', '--as', 'lead')).exitCode).toBe(0);
  });

  it('prints one JSON document, and then still ends with 6', async () => {
    await create();
    cli.llm.enqueue(httpError(500, 'down'));
    const { exitCode, out } = await cli.run('gates', 'invoke', 'spam', '--json');
    expect([exitCode, JSON.parse(out)]).toEqual([
      6,
      expect.objectContaining({ gateId: 'spam', needsHuman: true }),
    ]);
  });

  it('deletes a gate, and does not know it then', async () => {
    await create();
    expect((await cli.run('gates', 'delete', 'spam')).lines).toEqual([
      'gate spam is deleted; its decisions stay',
    ]);
    expect((await cli.run('gates', 'list')).lines).toEqual(['there are no gates']);
    for (const command of ['show', 'invoke', 'delete']) {
      const { exitCode, out, err } = await cli.run('gates', command, 'spam');
      expect([exitCode, out, err]).toEqual([4, '', expect.stringMatching(/^\[UnknownGate\] /)]);
    }
  });

  it('lists every problem of a gate that is none', async () => {
    const { exitCode, out, err } = await create({ gateId: 'no good', choices: {} });
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(/^\[InvalidGate\] [^]*\n {2}\/choices .*\n {2}\/gateId /);
    const missing = await cli.run('gates', 'create', `${cli.folder}/none.json`);
    expect([missing.exitCode, missing.err]).toEqual([2, expect.stringContaining('there is no such file')]);
  });
});
