import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RedialServer } from '../support/redial-server.js';
import { codes } from '../support/task-desk.js';

const OPERATOR = 'secret-of-the-operator';
const person = (specialistId: string) => ({ role: 'proposer', specialistId, isHuman: true });
const amount = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
const machine = {
  machineName: 'payments',
  initialState: 'asked',
  goalState: 'paid',
  people: { groups: ['buyers'], exclude: ['proposers', 'max'] },
  states: {
    asked: {
      prompt: 'Pay it?',
      transitions: {
        pay: { target: 'paid', parameters: amount, onInvalidArguments: 'reject', needsPerson: true },
        drop: 'dropped',
        ask: { target: 'dropped', parameters: amount },
      },
    },
    paid: {},
    dropped: {},
  },
  specialists: [
    { role: 'proposer', specialistId: 'rule', strategyFnName: 'firstAvailable' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
    person('ann'),
  ],
};

interface Task {
  readonly taskId: string;
  readonly digest: string;
  readonly version: number;
  readonly status: string;
  readonly proposals: readonly { readonly proposalId: string }[];
  readonly answer?: object;
}

describe('tasks of sessions', () => {
  let server: RedialServer;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    server = await RedialServer.start({ environment: { REDIAL_API_TOKEN: OPERATOR } });
    tokens['operator'] = OPERATOR;
    const people = { ann: ['buyers'], bob: ['buyers'], max: ['buyers'], eve: [] };
    for (const [personId, groups] of Object.entries(people)) {
      const { body } = await call('operator', 'post', '/v1/people', { personId, role: 'reviewer', groups });
      tokens[personId] = (body as { token: string }).token;
    }
    expect(await call('operator', 'post', '/v1/machines', machine)).toMatchObject({ status: 201 });
  });
  afterAll(() => server.stop());

  async function call(who: string, method: 'get' | 'post' | 'delete', path: string, body?: object) {
    const sent = server.http[method](path).set('Authorization', `Bearer ${tokens[who]}`);
    const { status, body: answer } = await (body ? sent.send(body) : sent);
    return { status, body: answer as Record<string, unknown> };
  }

  /** A session whose round waits for people, with a proposal of `pay` by the rule. */
  async function waiting(machineName = 'payments'): Promise<{ sessionId: string; task: Task }> {
    const asked = { machineName, metaJson: { no: 7 } };
    const created = await call('operator', 'post', '/v1/sessions', asked);
    const { sessionId } = created.body as { sessionId: string };
    const path = `/v1/sessions/${sessionId}`;
    const stated = { specialistId: 'rule', transitionName: 'pay', metaJson: { amount: 5 } };
    expect((await call('operator', 'post', `${path}/proposals`, stated)).status).toBe(201);
    expect((await call('operator', 'post', `${path}/arbitrations`, {})).body).toMatchObject({
      executed: false,
    });
    const { body } = await call('eve', 'get', `/v1/tasks?sessionId=${sessionId}`);
    const [task] = body['items'] as readonly Task[];
    if (!task) throw new Error('no task');
    return { sessionId, task };
  }

  const accepting = ({ digest, proposals: [first] }: Task) => ({
    choice: 'accept',
    digest,
    proposalId: first?.proposalId,
  });
  const answer = (who: string, { taskId }: Task, body: object) =>
    call(who, 'post', `/v1/tasks/${taskId}/answer`, body);

  it('0.2-H4: say what they are about, who decides, and how to answer', async () => {
    const { sessionId, task } = await waiting();
    expect(task).toMatchObject({
      kind: 'decision',
      status: 'open',
      version: 1,
      question: 'Pay it?',
      reason: 'needs-person',
      about: { sessionId, machineName: 'payments', currentState: 'asked', metaJson: { no: 7 } },
      proposals: [{ transitionName: 'pay', metaJson: { amount: 5 }, alignmentScore: 0, comparisons: 0 }],
      choices: [
        { choice: 'accept' },
        { choice: 'transition', transitionName: 'pay' },
        { choice: 'transition', transitionName: 'drop' },
        {
          choice: 'transition',
          transitionName: 'ask',
          schema: {
            properties: { metaJson: amount },
            required: expect.arrayContaining(['metaJson']) as object,
          },
        },
      ],
      candidates: { groups: ['buyers'], people: [] },
      excluded: ['max'],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await call('ann', 'get', `/v1/tasks/${task.taskId}`)).body).toEqual(task);
  });

  it('0.2-H2: a proposal is accepted with its arguments, or with others as an edit that is checked and recorded', async () => {
    const { sessionId, task } = await waiting();
    const edit = { ...accepting(task), metaJson: { amount: 'much' } };
    const byArbitration = { proposalId: edit.proposalId, metaJson: { amount: 'much' } };
    const arbitrated = call('ann', 'post', `/v1/sessions/${sessionId}/arbitrations`, byArbitration);
    const unfit = [422, 'invalid-arguments'];
    expect(await codes(arbitrated, answer('ann', task, edit))).toEqual([unfit, unfit]);
    const { status, body } = await answer('ann', task, { ...edit, metaJson: { amount: 4 }, reason: 'less' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      task: {
        status: 'answered',
        answer: { by: 'ann', choice: 'accept', metaJson: { amount: 4 }, edited: true },
      },
      session: { status: 'done', history: [{ transitionName: 'pay', isHuman: true, decidedBy: 'ann' }] },
    });
    const replay = await call('operator', 'post', `/v1/sessions/${sessionId}/replay`);
    expect(replay.body).toMatchObject({ identical: true });
  });

  it('refuse arguments that do not fit the schema of the choice, whatever the policy for models', async () => {
    const { sessionId, task } = await waiting();
    const ask = { choice: 'transition', digest: task.digest, transitionName: 'ask' };
    expect(await codes(answer('ann', task, ask))).toEqual([[422, 'arguments-needed']]);
    const wrong = await Promise.all([
      answer('ann', task, { ...ask, metaJson: {} }),
      answer('ann', task, { ...ask, metaJson: { amount: 'much' } }),
    ]);
    expect(wrong).toMatchObject(
      ['/metaJson', '/metaJson/amount'].map((path) => ({
        status: 422,
        body: { code: 'invalid-arguments', errors: [{ path }] },
      })),
    );
    expect((await answer('ann', task, { ...ask, metaJson: { amount: 3 } })).status).toBe(200);
    const replay = await call('operator', 'post', `/v1/sessions/${sessionId}/replay`);
    expect(replay.body).toMatchObject({ identical: true });
  });

  it('refuse in the order of the contract: who, then what was shown, then what is wrong with it', async () => {
    const { task } = await waiting();
    const stale = { ...accepting(task), digest: '0'.repeat(64) };
    const { digest: _, ...silent } = accepting(task);
    expect(
      await codes(
        answer('operator', task, stale),
        answer('max', task, stale),
        answer('eve', task, stale),
        answer('ann', task, stale),
        answer('ann', task, silent),
        answer('ann', { ...task, taskId: '00000000-0000-4000-8000-000000000000' }, stale),
        answer('ann', task, { choice: 'transition', digest: task.digest, transitionName: 'pay' }),
        answer('ann', task, { choice: 'transition', digest: task.digest, transitionName: 'burn' }),
      ),
    ).toEqual([
      [403, 'not-a-person'],
      [403, 'excluded'],
      [403, 'not-a-candidate'],
      [409, 'changed'],
      [422, 'digest-needed'],
      [404, 'unknown-task'],
      [422, 'arguments-needed'],
      [422, 'unknown-transition'],
    ]);
    const { body } = await call('ann', 'get', `/v1/tasks/${task.taskId}/events`);
    const kept = (body['items'] as { data: { by: string; code: string } }[]).map(
      ({ data: { by, code } }) => ({ by, code }),
    );
    expect(kept).toEqual(
      expect.arrayContaining([
        { by: 'operator', code: 'not-a-person' },
        { by: 'max', code: 'excluded' },
        { by: 'eve', code: 'not-a-candidate' },
      ]),
    );
  });

  it('0.2-H6: of answers at once one is taken, and the others are told who and what', async () => {
    const { task } = await waiting();
    const choices = Array.from({ length: 6 }, (_, n) => answer(n % 2 ? 'ann' : 'bob', task, accepting(task)));
    const answers = await Promise.all(choices);
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    const by = (taken[0]?.body['task'] as { answer: { by: string } } | undefined)?.answer.by;
    for (const { status, body } of answers.filter((one) => one !== taken[0]))
      expect([status, body]).toMatchObject([409, { code: 'answered', answer: { by, choice: 'accept' } }]);
  });

  it('are claimed by one person at a time, at every door, and released by them or an operator', async () => {
    const { sessionId, task } = await waiting();
    const at = (what: string) => `/v1/tasks/${task.taskId}/${what}`;
    expect((await call('ann', 'post', at('claim'), { minutes: 5 })).body).toMatchObject({
      status: 'claimed',
      claimedBy: 'ann',
    });
    expect(await call('bob', 'post', at('claim'), {})).toMatchObject({
      status: 409,
      body: { code: 'claimed', claimedBy: 'ann' },
    });
    expect(await codes(answer('bob', task, accepting(task)), call('bob', 'post', at('release')))).toEqual([
      [409, 'claimed'],
      [409, 'claimed'],
    ]);
    expect((await call('ann', 'get', '/v1/tasks/counts')).body).toMatchObject({ claimed: 1, mine: 1 });
    expect((await call('operator', 'post', at('release'))).body).toMatchObject({ status: 'open' });
    expect(await codes(call('eve', 'post', at('claim'), {}))).toEqual([[403, 'not-a-candidate']]);
    const decided = { specialistId: 'ann', proposalId: task.proposals[0]?.proposalId };
    await call('bob', 'post', at('claim'), {});
    expect(await codes(call('ann', 'post', `/v1/sessions/${sessionId}/arbitrations`, decided))).toEqual([
      [409, 'claimed'],
    ]);
  });

  it('are open again once the person who claimed them, or has them assigned, is deleted, whatever the form of their id', async () => {
    const personId = 'zoe@example.com';
    const body = { personId, role: 'reviewer', groups: ['buyers'] };
    tokens[personId] = String((await call('operator', 'post', '/v1/people', body)).body['token']);
    const { task } = await waiting();
    const at = (act = '') => `/v1/tasks/${task.taskId}${act}`;
    await call('operator', 'post', at('/assign'), { personId });
    const claimed = await call(personId, 'post', at('/claim'), {});
    expect(claimed.body).toMatchObject({ status: 'claimed', claimedBy: personId, assignee: personId });
    await call('operator', 'delete', `/v1/people/${encodeURIComponent(personId)}`);
    const { body: after } = await call('ann', 'get', at());
    expect(after).toMatchObject({ status: 'open' });
    expect(after).not.toHaveProperty('assignee');
    expect((await call('ann', 'post', at('/claim'), {})).body).toMatchObject({ claimedBy: 'ann' });
  });

  it('are open again once the person who claimed them may not answer any more', async () => {
    const { sessionId, task } = await waiting();
    const at = (act = '') => `/v1/tasks/${task.taskId}${act}`;
    expect((await call('ann', 'post', at('/claim'), {})).body).toMatchObject({ claimedBy: 'ann' });
    const stated = { specialistId: 'ann', transitionName: 'drop' };
    await call('ann', 'post', `/v1/sessions/${sessionId}/proposals`, stated);
    const { body: after } = await call('bob', 'get', at());
    expect(after).toMatchObject({ status: 'open' });
    expect(after).not.toHaveProperty('claimedBy');
    expect((await call('bob', 'post', at('/claim'), {})).body).toMatchObject({ claimedBy: 'bob' });
    expect(await answer('bob', task, accepting(after as unknown as Task))).toMatchObject({ status: 200 });
  });

  it('are open again once an escalation has replaced the person who claimed them; an assignment stays', async () => {
    const escalations = [{ in: 'PT1S', people: ['eve'], keep: false }];
    const people = { groups: ['buyers'], escalations };
    await call('operator', 'post', '/v1/machines', { ...machine, machineName: 'escalated', people });
    const at = ({ taskId }: Task, act = '') => `/v1/tasks/${taskId}${act}`;
    /** Of another session where its escalation has come before this, as on a busy machine. */
    const taskAfter = async (who: string, act: string, body: object, shown: object) => {
      for (;;) {
        const { task } = await waiting('escalated');
        const answered = (await call(who, 'post', at(task, act), body)).body;
        if (answered['code'] === 'not-a-candidate' || answered['escalated'] === 1) continue;
        expect(answered).toMatchObject(shown);
        return task;
      }
    };
    const task = await taskAfter('ann', '/claim', {}, { claimedBy: 'ann' });
    const assigned = await taskAfter('operator', '/assign', { personId: 'bob' }, { assignee: 'bob' });
    const isEscalated = async (one: Task) => (await call('eve', 'get', at(one))).body['escalated'] === 1;
    while (!(await isEscalated(task)) || !(await isEscalated(assigned)));
    expect((await call('eve', 'get', at(task))).body).toMatchObject({ status: 'open' });
    expect(await answer('eve', task, accepting(task))).toMatchObject({ status: 200 });
    expect(await codes(answer('eve', assigned, accepting(assigned)))).toEqual([[403, 'not-a-candidate']]);
    expect(await answer('bob', assigned, accepting(assigned))).toMatchObject({ status: 200 });
  });

  it('assigned to a person are theirs alone, even if they are no candidate, and never if they are excluded', async () => {
    const { sessionId, task } = await waiting();
    const assign = (personId: string | null) =>
      call('operator', 'post', `/v1/tasks/${task.taskId}/assign`, { personId });
    expect(await codes(assign('nobody'))).toEqual([[422, 'not-assignable']]);
    await assign('max');
    expect(await codes(answer('max', task, accepting(task)), answer('ann', task, accepting(task)))).toEqual([
      [403, 'excluded'],
      [403, 'not-a-candidate'],
    ]);
    expect((await assign('eve')).body).toMatchObject({ assignee: 'eve' });
    const arbitration = { specialistId: 'ann', transitionName: 'drop' };
    expect(await codes(call('ann', 'post', `/v1/sessions/${sessionId}/arbitrations`, arbitration))).toEqual([
      [403, 'not-a-candidate'],
    ]);
    expect(await answer('eve', task, accepting(task))).toMatchObject({ status: 200 });
  });

  it('keep attempts that were refused, of answers and claims, once for each person and code and without what was sent', async () => {
    const { sessionId, task } = await waiting();
    const at = (act: string) => `/v1/tasks/${task.taskId}/${act}`;
    for (let times = 0; times < 2; times++) {
      await answer('eve', task, { ...accepting(task), reason: 'canary' });
      await call('eve', 'post', at('claim'), {});
      await answer('max', task, accepting(task));
      await answer('operator', task, accepting(task));
    }
    await answer('ann', task, accepting(task));
    await answer('bob', task, accepting(task));
    const { body } = await call('ann', 'get', at('events'));
    const items = body['items'] as readonly { type: string; data: { owner?: object } }[];
    expect(
      items
        .filter(({ type }) => type === 'TaskAttemptRefused')
        .map(({ data: { owner: _, ...data } }) => data),
    ).toEqual([
      { by: 'eve', code: 'not-a-candidate' },
      { by: 'max', code: 'excluded' },
      { by: 'operator', code: 'not-a-person' },
      { by: 'bob', code: 'answered' },
    ]);
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(await call('operator', 'post', `/v1/sessions/${sessionId}/replay`)).toMatchObject({
      body: { identical: true },
    });
  });

  it('are in the inbox while they are claimed too; a release of none is no error', async () => {
    const { sessionId, task } = await waiting();
    const inInbox = async () => {
      const { body } = await call('bob', 'get', '/v1/inbox?limit=500');
      return (body['items'] as readonly { sessionId?: string }[]).filter(
        (one) => one.sessionId === sessionId,
      );
    };
    expect(await call('bob', 'post', `/v1/tasks/${task.taskId}/release`)).toMatchObject({ status: 200 });
    expect(await inInbox()).toHaveLength(1);
    await call('ann', 'post', `/v1/tasks/${task.taskId}/claim`, {});
    expect(await inInbox()).toHaveLength(1);
    await answer('ann', task, accepting(task));
    expect(await inInbox()).toEqual([]);
  });

  it('change with a new proposal, and are withdrawn when an operator goes on', async () => {
    const { sessionId, task } = await waiting();
    const path = `/v1/sessions/${sessionId}`;
    await call('ann', 'post', `${path}/proposals`, { specialistId: 'ann', transitionName: 'drop' });
    const { body } = await call('bob', 'get', `/v1/tasks/${task.taskId}`);
    expect([body['version'], body['digest'] === task.digest]).toEqual([1, false]);
    const now = { digest: body['digest'], choice: 'accept', proposalId: task.taskId };
    const refused = [await answer('bob', task, accepting(task)), await answer('bob', task, now)];
    const digest = { status: 409, code: 'changed', digest: body['digest'] };
    expect(refused[0]?.body).toMatchObject({ ...digest, changed: { proposals: [{ specialistId: 'ann' }] } });
    expect(refused[1]?.body).toMatchObject({ ...digest, changed: {} });
    expect(await codes(answer('ann', task, accepting(task)))).toEqual([[403, 'excluded']]);
    await call('operator', 'post', `${path}/transitions`, { transitionName: 'drop', toState: 'dropped' });
    expect(await codes(answer('bob', task, accepting(task)))).toEqual([[410, 'withdrawn']]);
    const comment = call('bob', 'post', `/v1/tasks/${task.taskId}/comments`, { text: 'Why?' });
    expect(await codes(comment)).toEqual([[409, 'task-ended']]);
  });

  it('are no longer claimable by those who have approved, whose choices they show as they were made', async () => {
    const name = 'shared-payments';
    const people = { groups: ['buyers'], approvals: 2 };
    const made = await call('operator', 'post', '/v1/machines', { ...machine, machineName: name, people });
    expect(made.status).toBe(201);
    const { body: begun } = await call('operator', 'post', '/v1/sessions', { machineName: name });
    const { sessionId } = begun as { sessionId: string };
    const stated = { specialistId: 'rule', transitionName: 'pay', metaJson: { amount: 5 } };
    await call('operator', 'post', `/v1/sessions/${sessionId}/proposals`, stated);
    await call('operator', 'post', `/v1/sessions/${sessionId}/run`, {});
    const tasks = await call('operator', 'get', `/v1/tasks?sessionId=${sessionId}`);
    const [task] = tasks.body['items'] as Task[];
    if (!task) throw new Error('no task');
    const listed = async (who: string) => {
      const { body } = await call(who, 'get', `/v1/tasks?candidate=me&sessionId=${sessionId}`);
      return (body['items'] as object[]).length;
    };
    expect(await listed('ann')).toBe(1);
    const accept = { choice: 'accept', digest: task.digest, proposalId: task.proposals[0]?.proposalId };
    const given = [{ by: 'ann', choice: 'accept', transitionName: 'pay' }];
    expect(await call('ann', 'post', `/v1/tasks/${task.taskId}/answer`, accept)).toMatchObject({
      status: 200,
      body: { task: { status: 'open', approvals: { needed: 2, given } } },
    });
    expect([await listed('ann'), await listed('bob')]).toEqual([0, 1]);
  });

  it('a transition that needs a person is refused to operators', async () => {
    const { sessionId } = await waiting();
    const pay = { transitionName: 'pay', toState: 'paid', metaJson: { amount: 1 } };
    expect(await codes(call('operator', 'post', `/v1/sessions/${sessionId}/transitions`, pay))).toEqual([
      [422, 'needs-person'],
    ]);
  });
});
