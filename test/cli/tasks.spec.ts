import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { CommandLine } from './command-line.js';
import { quarrel } from './machines.js';

const tool = {
  toolId: 'refund',
  description: 'Refunds an order',
  parameters: { type: 'object', properties: { order: { type: 'integer' } } },
  execution: { webhookUrl: 'http://127.0.0.1:9/refund' },
  policy: { needsApproval: true },
};

describe('redial tasks answer and redial decide', () => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await CommandLine.open();
  });
  afterAll(() => cli.close());

  /** A session that waits for `lead`, its task, and the proposal to go. */
  async function waiting(machineName: string) {
    const [sessionId = ''] = await cli.sessions({ ...quarrel, machineName });
    const { out } = await cli.run('tasks', 'list', '--session', sessionId, '--json');
    const { items } = JSON.parse(out) as {
      items: {
        taskId: string;
        digest: string;
        proposals: { proposalId: string; transitionName: string }[];
      }[];
    };
    const [task] = items;
    const proposalId = task?.proposals.find((one) => one.transitionName === 'go')?.proposalId ?? '';
    return { sessionId, taskId: task?.taskId ?? '', digest: task?.digest ?? '', proposalId };
  }

  it('a proposal is accepted by its id, with other arguments as an edit, by a person without a specialist', async () => {
    const { sessionId, proposalId } = await waiting('accepting');
    const said = ['--accept', proposalId, '--args', '{"slowly":true}', '--reasoning', 'careful'];
    const { exitCode, out, err } = await cli.run('decide', sessionId, ...said, '--act-as', 'lead', '--json');
    expect(exitCode).toBe(0);
    // The task that was shown stands beside the result, with its digest.
    expect(err).toMatch(/digest +[0-9a-f]{64}/);
    expect(JSON.parse(out)).toMatchObject({
      task: {
        status: 'answered',
        answer: { by: 'lead', choice: 'accept', proposalId, metaJson: { slowly: true }, edited: true },
      },
      session: { currentState: 'right' },
    });
  });

  it('an answer is told in sentences, after the task with the names of the arguments of its choices', async () => {
    const parameters = {
      type: 'object',
      properties: { note: { type: 'string' }, urgent: { type: 'boolean' } },
      required: ['note'],
    };
    const transitions = { ...quarrel.states.left.transitions, ask: { target: 'right', parameters } };
    const left = { ...quarrel.states.left, transitions };
    const machine = { ...quarrel, machineName: 'asking', states: { ...quarrel.states, left } };
    const [sessionId = ''] = await cli.sessions(machine);
    const note = 'word '.repeat(60).trim();
    const args = ['--args', JSON.stringify({ note }), '--act-as', 'lead', '--reasoning', 'why not'];
    const { exitCode, out, err } = await cli.run('decide', sessionId, 'ask', ...args);
    expect([exitCode, err]).toEqual([
      0,
      expect.stringContaining('transition ask → right: note, urgent (optional)'),
    ]);
    expect(err).toContain('go → right, by ann');
    expect(out).toBe(
      [`lead chose ask with {"note":"${note}"}: "why not"`, `session ${sessionId} is open in right`, ''].join(
        '\n',
      ),
    );
  });

  it('a transition is chosen without --as; a choice is needed, and only one', async () => {
    const { sessionId, proposalId } = await waiting('choosing');
    const none = await cli.run('decide', sessionId);
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('no choice is given')]);
    const both = await cli.run('decide', sessionId, 'go', '--accept', proposalId);
    expect([both.exitCode, both.err]).toEqual([2, expect.stringContaining('a transition and a proposal')]);
    expect((await cli.run('decide', sessionId, 'go', '--act-as', 'lead')).exitCode).toBe(0);
    const nobody = await cli.run('decide', (await waiting('unnamed')).sessionId, 'go');
    expect(nobody.err).toContain('--act-as <person> or --token <token>; for redial decide also --as');
    const stranger = await cli.run('decide', sessionId, 'go', '--act-as', 'nobody');
    expect([stranger.exitCode, stranger.err]).toEqual([2, expect.stringContaining('UnknownPerson')]);
  });

  it('a decision before the round asks for people is made once under a key', async () => {
    const lead = { role: 'proposer', specialistId: 'lead', isHuman: true };
    const states = { left: { transitions: { go: 'left', leave: 'out' } }, out: {} };
    const round = {
      machineName: 'round',
      initialState: 'left',
      goalState: 'out',
      specialists: [lead],
      states,
    };
    const [sessionId = ''] = await cli.begun(round);
    const decide = () => cli.run('decide', sessionId, 'go', '--act-as', 'lead', '--key', 'once');
    const first = await decide();
    expect([first.exitCode, first.out]).toEqual([0, expect.stringContaining('decided: go → left')]);
    expect((await decide()).out).toBe(first.out);
    const { out } = await cli.run('inspect', sessionId, '--json');
    expect(JSON.parse(out)).toMatchObject({ session: { history: [{ transitionName: 'go' }] } });
  });

  it('an answer to the task of a round is given once under a key, whatever waits when it comes again', async () => {
    const lead = { role: 'proposer', specialistId: 'lead', isHuman: true };
    const states = {
      one: { transitions: { go: 'two' } },
      two: { transitions: { go: 'three' } },
      three: { transitions: { go: 'end' } },
      end: {},
    };
    const stairs = {
      machineName: 'stairs',
      initialState: 'one',
      goalState: 'end',
      specialists: [lead],
      states,
    };
    const [sessionId = ''] = await cli.sessions(stairs);
    const decide = () => cli.run('decide', sessionId, 'go', '--act-as', 'lead', '--key', 'once');
    const first = await decide();
    expect([first.exitCode, first.out]).toEqual([0, expect.stringContaining('is open in two')]);
    // The next round has not asked for people.
    expect((await decide()).out).toBe(first.out);
    await cli.run('drive', sessionId);
    // Its task waits.
    expect((await decide()).out).toBe(first.out);
    const other = await cli.run('decide', sessionId, 'stay', '--act-as', 'lead', '--key', 'once');
    expect([other.exitCode, other.err]).toEqual([2, expect.stringContaining('idempotency')]);
    const { out } = await cli.run('inspect', sessionId, '--json');
    expect(JSON.parse(out)).toMatchObject({ session: { history: [{ transitionName: 'go' }] } });
    // The key of another caller is another one.
    const { token } = await cli.prepare((redial) => redial.replacePersonToken({ personId: 'lead' }));
    const own = await cli.run('decide', sessionId, 'go', '--token', token, '--key', 'once');
    expect([own.exitCode, own.out]).toEqual([0, expect.stringContaining('is open in three')]);
  });

  it('an answer sends the digest of what was shown: one that is old is refused', async () => {
    const { taskId, digest } = await waiting('shown');
    const old = ['--transition', 'go', '--act-as', 'lead', '--digest', '0'.repeat(64)];
    const refused = await cli.run('tasks', 'answer', taskId, ...old);
    expect([refused.exitCode, refused.out]).not.toEqual([0, expect.anything()]);
    expect(refused.err).toContain('TaskChanged');
    const now = ['--transition', 'go', '--act-as', 'lead', '--digest', digest, '--reason', 'because'];
    expect((await cli.run('tasks', 'answer', taskId, ...now)).exitCode).toBe(0);
    const again = await cli.run('tasks', 'answer', taskId, '--transition', 'go', '--act-as', 'lead');
    expect(again.err).toContain('TaskAnswered');
    const none = await cli.run('tasks', 'answer', taskId, '--act-as', 'lead');
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('no choice is given')]);
  });

  it('are listed without another word, assigned to nobody by `null`, and shown again with their times', async () => {
    const { taskId } = await waiting('assigned');
    expect((await cli.run('tasks', '--json')).out).toContain(taskId);
    expect((await cli.run('tasks', '--kind', 'answer')).out).not.toContain(taskId);
    const assign = (person: string) => cli.run('tasks', 'assign', taskId, '--person', person, '--json');
    expect(JSON.parse((await assign('lead')).out)).toMatchObject({ assignee: 'lead' });
    expect(JSON.parse((await assign('null')).out)).not.toHaveProperty('assignee');
    const dueAt = new Date(Date.now() + 3_600_000).toISOString();
    const { out } = await cli.run('tasks', 'extend', taskId, '--due-at', dueAt);
    expect(out).toMatch(new RegExp(`^task ${taskId} .*due at +${dueAt}`, 's'));
  });

  it('a call is approved with other arguments, or rejected', async () => {
    cli.llm.enqueue(toolCall('refund', { order: 7 }), toolCall('refund', { order: 8 }));
    const prompts = { systemPrompt: 'You help.', userPrompt: 'Refund.' };
    const input = { ...prompts, model: 'gpt-4o-mini', tools: ['refund'], maxRounds: 1 };
    const tasks = await cli.prepare(async (redial) => {
      await redial.registerTool(tool);
      await redial.startRun({ workflow: 'planner', input, waitMs: 10_000 });
      await redial.startRun({ workflow: 'planner', input, waitMs: 10_000 });
      return (await redial.listTasks({ kind: 'approval' })).items;
    });
    const [first, second] = tasks.map(({ taskId }) => taskId);
    const rejected = await cli.run('tasks', 'answer', first ?? '', '--reject', '--reason', 'no', '--json');
    expect(JSON.parse(rejected.out)).toMatchObject({
      task: { answer: { by: 'operator', choice: 'reject', reason: 'no' } },
    });
    const wrong = await cli.run('tasks', 'answer', second ?? '', '--approve', '--args', '{"order":"x"}');
    expect(wrong.err).toContain('/arguments/order');
    const approved = await cli.run(
      'tasks',
      'answer',
      second ?? '',
      '--approve',
      '--args',
      '{"order":9}',
      '--json',
    );
    expect(JSON.parse(approved.out)).toMatchObject({
      task: { answer: { choice: 'approve', arguments: { order: 9 }, edited: true } },
    });
  });
});
