import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { heldBack, httpError, type ScriptedReply, streamed, text, toolCall } from '#lib/activities/testing';
import { clerk } from '../support/clerk.js';
import { startEngine } from '../support/engine.js';
import { RedialServer } from '../support/redial-server.js';
import { type SentEvent, sentEvents } from '../support/sent-events.js';

interface Named {
  readonly response_format?: { readonly json_schema: { readonly name: string } };
}

const isReply = (answer: object | string): answer is ScriptedReply =>
  typeof answer === 'object' && 'headers' in answer;

const unknown = '1f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';

describe('conversations over HTTP', () => {
  let server: RedialServer;
  /** By purpose; a purpose without an answer is a failed call. */
  let answers: { [purpose: string]: object | string };
  let said = Promise.resolve();
  const bookings: unknown[] = [];

  beforeAll(async () => {
    server = await RedialServer.start({
      place: { dataDir: temporaryFolder() },
      script: ({ body }) => {
        const purpose = (body as Named).response_format?.json_schema.name ?? 'text';
        const queued = answers[purpose];
        const answer = Array.isArray(queued) ? (queued as (object | string)[]).shift() : queued;
        const usage = { prompt_tokens: 10, completion_tokens: 2 };
        return answer === undefined
          ? httpError(400, `no ${purpose}`)
          : heldBack(
              isReply(answer) ? answer : text(answer, { usage }),
              purpose === 'respond' ? said : Promise.resolve(),
            );
      },
      options: {
        functions: {
          book: (given) => bookings.push(given),
          bookVisit: () => ({ dataUpdate: { visitId: 'v-1' } }),
        },
      },
    });
    const parameters = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
    const book = { toolId: 'book', description: 'Books', parameters, execution: { fnName: 'book' } };
    await server.post('/v1/tools', { ...book, policy: { needsApproval: true } });
    expect((await server.post('/v1/agents', clerk)).status).toBe(201);
  });
  beforeEach(() => {
    said = Promise.resolve();
    answers = {
      extract: {},
      route: { intent: 'to book', scores: { booking: 90, questions: 10 } },
      respond: { message: 'And your name?' },
    };
  });
  afterAll(() => server.stop());

  const start = async (body: object = {}): Promise<string> => {
    const started = await server.post('/v1/conversations', { agentName: 'clerk', ...body });
    expect(started.status).toBe(201);
    return (started.body as { conversationId: string }).conversationId;
  };
  const say = (id: string, body: object, headers = {}) =>
    server.post(`/v1/conversations/${id}/messages`, body, headers);

  it('F-11, F-17: defines agents in versions, refuses what is wrong with all pointers, and draws them', async () => {
    expect((await server.post('/v1/agents', clerk)).status).toBe(200);
    const named = { ...clerk, agentName: 'other' };
    expect((await server.post('/v1/agents', named)).body).toMatchObject({ version: 1 });
    const next = await server.post('/v1/agents', { ...named, goal: 'Book' });
    expect([next.status, next.body.version]).toEqual([201, 2]);
    const again = await server.post('/v1/agents', named);
    expect([again.status, again.body.version]).toEqual([200, 1]);
    expect((await server.get('/v1/agents/other')).body).toMatchObject({ version: 1, hash: again.body.hash });
    expect((await server.get('/v1/agents/other?version=2')).body.definition.goal).toBe('Book');
    const bad = { ...clerk, flows: [{ title: 'x', if: { fn: 'nobody' }, steps: [{}] }] };
    const refused = await server.post('/v1/agents', bad);
    expect([refused.status, refused.body.code, refused.body.errors]).toMatchObject([
      422,
      'invalid-agent',
      [{ path: '/flows/0/if/0/fn' }],
    ]);
    expect((await server.post('/v1/agents/validate', { colour: 1 })).body).toMatchObject({ valid: false });
    expect((await server.get('/v1/agents/clerk/diagram')).text).toMatch(/^flowchart TD/);
    expect((await server.get('/v1/agents/none')).status).toBe(404);
  });

  it('F-5, F-7, F-9, F-15, F-66: takes a turn, keeps what was said, and replays identical', async () => {
    const id = await start();
    const turn = await say(id, { text: 'A visit, please' });
    expect(turn.status).toBe(200);
    expect(turn.body).toMatchObject({
      status: 'completed',
      message: 'And your name?',
      stoppedReason: 'needs_input',
      executedSteps: [{ flowId: 'booking', stepId: 'who', kind: 'llm' }],
      usage: { calls: 3, inputTokens: 30, outputTokens: 6 },
    });
    answers['extract'] = { name: 'Ann', day: 'Friday' };
    answers['respond'] = { message: 'Booked.' };
    const last = await say(id, { text: 'Ann, on Friday' });
    expect(last.body).toMatchObject({ message: 'Booked.', isFlowComplete: true });
    const { body: conversation } = await server.get(`/v1/conversations/${id}`);
    expect(conversation).toMatchObject({
      conversationId: id,
      agentName: 'clerk',
      status: 'completed',
      data: { name: 'Ann', day: 'Friday' },
      flowHistory: [{ flowId: 'booking', completed: true }],
      history: [
        { role: 'user', content: 'A visit, please' },
        { role: 'assistant', content: 'And your name?' },
        { role: 'user', content: 'Ann, on Friday' },
        { role: 'assistant', content: 'Booked.' },
      ],
      usage: { calls: 5 },
    });
    const { body: turns } = await server.get(`/v1/conversations/${id}/turns`);
    expect(turns.items).toEqual([turn.body, last.body]);
    const called = await server.get(`/v1/llm-calls?runId=${turn.body.turnId}`);
    const callIds = (called.body.items as { callId: string }[]).map(({ callId }) => callId);
    expect(new Set(callIds)).toEqual(new Set(turn.body.llmCalls));
    const { body: ofConversation } = await server.get(`/v1/conversations/${id}/llm-calls?limit=4`);
    const rest = await server.get(
      `/v1/conversations/${id}/llm-calls?cursor=${String(ofConversation.nextCursor)}`,
    );
    expect(
      [...ofConversation.items, ...rest.body.items].map(({ callId }: { callId: string }) => callId),
    ).toEqual([...turn.body.llmCalls, ...last.body.llmCalls]);
    const { body: replay } = await server.post(`/v1/conversations/${id}/replay`);
    expect(replay).toMatchObject({
      conversationId: id,
      identical: true,
      streamsChecked: 3,
      open: 0,
      divergences: [],
    });
    const { body: before } = await server.get(`/v1/conversations/${id}/at/2`);
    const progress = { isComplete: false, missing: ['name', 'day'], share: 0 };
    expect(before).toMatchObject({ currentFlow: { id: 'booking', progress }, currentStep: { id: 'who' } });
    const { body: list } = await server.get('/v1/conversations?agentName=clerk&status=completed');
    expect(list.items).toMatchObject([{ conversationId: id, revision: 4 }]);
  });

  it('a repeat under the same key gets the same turn; another message under it is refused', async () => {
    const id = await start();
    const key = { 'Idempotency-Key': 'k1' };
    const first = await say(id, { text: 'Hello' }, key);
    answers = {};
    expect((await say(id, { text: 'Hello' }, key)).body).toEqual(first.body);
    expect((await say(id, { text: 'Other' }, key)).status).toBe(422);
    expect((await server.get(`/v1/conversations/${id}`)).body.history).toHaveLength(2);
  });

  it('F-61: of two messages at once the second waits for the first', async () => {
    const id = await start();
    let speak = (): void => undefined;
    said = new Promise((resolve) => (speak = resolve));
    const both = ['one', 'two'].map(async (said) => say(id, { text: said }));
    await server.llm.received(server.llm.requests.length + 2);
    speak();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    const { history } = (await server.get(`/v1/conversations/${id}`)).body as {
      history: { turnId: string }[];
    };
    expect(new Set(history.map(({ turnId }) => turnId)).size).toBe(2);
    expect((await server.post(`/v1/conversations/${id}/replay`)).body.identical).toBe(true);
  });

  it('F-61: a message that another process gets during a turn is taken after it, each answered once', async () => {
    const { place, llm } = server;
    const other = await startEngine([], { ...place, llm: { baseUrl: llm.baseUrl }, recoveryIntervalMs: 50 });
    const id = await start();
    let speak = (): void => undefined;
    said = new Promise((resolve) => (speak = resolve));
    const before = llm.requests.length;
    const first = say(id, { text: 'one' });
    await llm.received(before + 3);
    const second = other.redial.sendMessage({ conversationId: id, text: 'two' });
    speak();
    expect([(await first).status, (await second).status]).toEqual([200, 'completed']);
    const { items } = (await server.get(`/v1/conversations/${id}/turns`)).body as {
      items: { text: string; status: string }[];
    };
    expect(items.map(({ text: asked, status }) => [asked, status])).toEqual([
      ['one', 'completed'],
      ['two', 'completed'],
    ]);
    expect(llm.requests.length - before).toBe(6);
    expect((await server.post(`/v1/conversations/${id}/replay`)).body.identical).toBe(true);
    await other.stop();
  });

  it('F-63: a turn is cancelled while the model speaks: its call is aborted, and the conversation is as it was before', async () => {
    const id = await start();
    let speak = (): void => undefined;
    said = new Promise((resolve) => (speak = resolve));
    const before = server.llm.requests.length;
    const saying = say(id, { text: 'Hello' }, { 'Idempotency-Key': 'k3' });
    await server.llm.received(before + 3);
    const calls = (query: string) => server.get(`/v1/conversations/${id}/llm-calls?${query}`);
    const { body: page } = await calls('limit=2');
    const { body: cancelled } = await server.post(`/v1/conversations/${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 'failed', failure: { kind: 'cancelled' }, message: '' });
    expect(cancelled.usage).toMatchObject({ calls: 3, inputTokens: 20 });
    expect([(await saying).status, (await saying).body.code]).toEqual([409, 'turn-cancelled']);
    const { body: rest } = await calls(`cursor=${String(page.nextCursor)}`);
    const callIds = [...page.items, ...rest.items].map(({ callId }: { callId: string }) => callId);
    expect([page.items.length, cancelled.llmCalls]).toEqual([2, callIds]);
    speak();
    expect((await say(id, { text: 'Hello' }, { 'Idempotency-Key': 'k3' })).body.code).toBe('turn-cancelled');
    expect((await server.get(`/v1/conversations/${id}`)).body).toMatchObject({ history: [], data: {} });
    expect((await say(id, { text: 'Hello' })).body.message).toBe('And your name?');
    expect((await server.post(`/v1/conversations/${id}/replay`)).body.identical).toBe(true);
  });

  it('F-59: a turn whose model fails is 502, recorded, and the conversation is as it was before', async () => {
    const id = await start({ initialData: { name: 'Ann' } });
    answers = { extract: {}, route: {} };
    const { status, body: why, headers } = await say(id, { text: 'Hello' }, { 'Idempotency-Key': 'k2' });
    expect([status, why.kind, typeof headers['redial-position']]).toEqual([502, 'http-error', 'string']);
    expect((await say(id, { text: 'Hello' }, { 'Idempotency-Key': 'k2' })).status).toBe(502);
    const { body } = await server.get(`/v1/conversations/${id}`);
    expect(body).toMatchObject({ history: [], data: { name: 'Ann' }, usage: { calls: 3 } });
    const { body: turns } = await server.get(`/v1/conversations/${id}/turns`);
    expect(turns.items).toMatchObject([{ status: 'failed', failure: { kind: 'http-error' } }]);
    expect((await server.post(`/v1/conversations/${id}/replay`)).body.identical).toBe(true);
  });

  it('F-48, F-50: a tool that needs approval: 202, the exact call to approve, then the turn that goes on', async () => {
    const steps = [{ id: 'do', prompt: 'Book', tools: ['book'] }];
    const agent = {
      ...clerk,
      agentName: 'booker',
      schema: { type: 'object' },
      flows: [{ title: 'Booking', steps }],
    };
    const unknown = { ...agent, flows: [{ title: 'Booking', tools: ['none'], steps }] };
    expect((await server.post('/v1/agents', unknown)).body.errors).toMatchObject([
      { path: '/flows/0/tools/0' },
    ]);
    expect((await server.post('/v1/agents', agent)).status).toBe(201);
    const id = await start({ agentName: 'booker' });
    answers['respond'] = [toolCall('book', { day: 'Friday' }), { message: 'Booked.' }];
    const waiting = await say(id, { text: 'Friday' });
    expect([waiting.status, waiting.body]).toMatchObject([
      202,
      {
        status: 'waiting',
        awaiting: [{ signal: 'approval', prompt: { toolId: 'book', arguments: { day: 'Friday' } } }],
      },
    ]);
    expect((await say(id, { text: 'Now!' })).body.code).toBe('turn-open');
    const { body: turns } = await server.get(`/v1/conversations/${id}/turns`);
    expect(turns.items).toMatchObject([{ status: 'waiting', awaiting: waiting.body.awaiting }]);
    const { body: inbox } = await server.get('/v1/inbox');
    expect(inbox.items).toMatchObject([
      { kind: 'approval', workflow: 'turn', conversationId: id, ...waiting.body.awaiting[0] },
    ]);
    const signal = (payload: object) => server.post(`/v1/conversations/${id}/signals/approval`, { payload });
    const toolCalls = () => server.get(`/v1/conversations/${id}/tool-calls`);
    expect((await toolCalls()).body.items).toMatchObject([{ status: 'awaiting-approval' }]);
    expect((await signal({ approved: 'perhaps' })).status).toBe(422);
    const turn = await signal({ approved: true });
    expect([turn.status, turn.body]).toMatchObject([
      200,
      { status: 'completed', message: 'Booked.', toolCalls: [{ toolId: 'book', status: 'completed' }] },
    ]);
    expect(bookings).toEqual([{ day: 'Friday' }]);
    expect((await toolCalls()).body.items).toMatchObject([
      { runId: turn.body.turnId, toolId: 'book', arguments: { day: 'Friday' }, status: 'completed' },
    ]);
    expect((await signal({ approved: true })).body.code).toBe('not-awaited');
    answers['respond'] = [toolCall('book', { day: 'Monday' }), { message: 'As you like.' }];
    const other = await start({ agentName: 'booker' });
    expect((await say(other, { text: 'Monday' })).status).toBe(202);
    const cancel = () => server.post(`/v1/conversations/${other}/cancel`, { reason: 'a mistake' });
    const { status, body: cancelled } = await cancel();
    expect([status, cancelled]).toMatchObject([200, { status: 'failed', failure: { kind: 'cancelled' } }]);
    expect((await cancel()).body.code).toBe('no-open-turn');
    expect((await say(other, { text: 'Never mind' })).body.message).toBe('As you like.');
    expect((await server.post(`/v1/conversations/${id}/replay`)).body.identical).toBe(true);
  });

  it('F-58: examples/clinic.json books a visit once a person approves, and notices an emergency in any flow', async () => {
    const example = JSON.parse(readFileSync('examples/clinic.json', 'utf8')) as object;
    const parameters = { type: 'object', properties: { name: { type: 'string' }, day: { type: 'string' } } };
    const tool = {
      toolId: 'book_visit',
      description: 'Books',
      parameters,
      execution: { fnName: 'bookVisit' },
    };
    await server.post('/v1/tools', { ...tool, policy: { needsApproval: true } });
    expect((await server.post('/v1/agents', example)).status).toBe(201);
    const id = await start({ agentName: 'clinic' });
    const calm = { signals: { emergency: { matched: false, reason: '' } } };
    Object.assign(answers, {
      extract: { name: 'Ann', isNewPatient: false, day: '2026-03-02' },
      signals: calm,
      condition: { result: false },
      respond: [toolCall('book_visit', { name: 'Ann', day: '2026-03-02' }), { message: 'Booked.' }],
    });
    const waiting = await say(id, { text: 'A visit on March 2nd. I am Ann, you know me.' });
    expect([waiting.status, waiting.body.awaiting]).toMatchObject([
      202,
      [{ prompt: { toolId: 'book_visit' } }],
    ]);
    const booked = await server.post(`/v1/conversations/${id}/signals/approval`, {
      payload: { approved: true },
    });
    expect(booked.body).toMatchObject({
      message: 'Booked.',
      stoppedReason: 'completed',
      executedSteps: [{ flowId: 'booking', stepId: 'book' }],
      dataChanges: { visitId: { to: 'v-1' } },
    });
    Object.assign(answers, {
      extract: {},
      signals: { signals: { emergency: { matched: true, reason: 'chest pain' } } },
    });
    expect((await say(id, { text: 'My chest hurts' })).body).toMatchObject({
      message: 'Please call 112 now, Ann.',
      triggeredSignals: [{ signalId: 'emergency', phase: 'pre', reason: 'chest pain' }],
    });
    const { body } = await server.get(`/v1/conversations/${id}`);
    expect(body.signals.triggers).toMatchObject({ emergency: { count: 1, lastReason: 'chest pain' } });
    expect((await server.post(`/v1/conversations/${id}/replay`)).body.identical).toBe(true);
  });

  it('F-63: streams what the agent says as clean text, joined the message, and the turn once it is done', async () => {
    const parameters = { temperature: 0, stream: true };
    const speaker = {
      ...clerk,
      agentName: 'speaker',
      schema: { type: 'object' },
      modelParameters: parameters,
    };
    const flows = [{ title: 'Talk', steps: [{ prompt: 'Talk' }] }];
    expect((await server.post('/v1/agents', { ...speaker, flows })).status).toBe(201);
    const id = await start({ agentName: 'speaker' });
    const message = 'Good “day”,\nAnn é';
    const pieces = JSON.stringify({ message }).match(/[\s\S]{1,5}/g) ?? [];
    answers['respond'] = streamed(pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })));
    const leaving = new AbortController();
    const { signal } = leaving;
    const events = sentEvents(await fetch(`${server.url}/v1/conversations/${id}/events/stream`, { signal }));
    const until = async (type: string) => {
      const taken: SentEvent[] = [];
      while (taken.at(-1)?.event !== type) taken.push((await events.next()).value as SentEvent);
      return taken;
    };
    await until('ConversationStarted');
    const turn = await say(id, { text: 'Hello' });
    const shown = await until('done');
    const deltas = shown.filter(({ event }) => event === 'delta').map(({ data }) => data as { text: string });
    expect(deltas.map(({ text: part }) => part).join('')).toBe(message);
    expect(deltas.length).toBeGreaterThan(1);
    const { turnId, llmCalls, ...said } = turn.body;
    expect(deltas[0]).toEqual({ turnId, callId: llmCalls.at(-1), text: expect.any(String) });
    expect(said.message).toBe(message);
    const types = shown.map(({ event }) => event).filter((event) => event !== 'delta');
    expect([types[0], ...types.slice(-2)]).toEqual(['TurnRequested', 'TurnTaken', 'done']);
    expect(shown.at(-1)?.data).toEqual(turn.body);
    leaving.abort();
    expect((await server.get(`/v1/conversations/${unknown}/events/stream`)).status).toBe(404);
    const malformed = await server.get(`/v1/conversations/${id}/events/stream?minPosition=x`);
    expect(malformed.body.errors).toMatchObject([{ path: '/minPosition' }]);
  });

  it('F-39: a directive is checked when it is given, and applied first', async () => {
    const id = await start();
    const direct = (body: object) => server.post(`/v1/conversations/${id}/directives`, body);
    expect((await direct({})).status).toBe(422);
    expect((await direct({ goTo: 'Nowhere' })).status).toBe(422);
    expect((await direct({ dataUpdate: { size: 1 } })).status).toBe(422);
    expect((await direct({ colour: 'red' })).status).toBe(400);
    expect((await direct({ reply: 'One moment.' })).body).toMatchObject({
      pendingDirective: { reply: 'One moment.' },
    });
    expect((await say(id, { text: 'Hello' })).body).toMatchObject({
      message: 'One moment.',
      stoppedReason: 'reply',
    });
  });

  it('refuses what is not there', async () => {
    expect((await server.post('/v1/conversations', { agentName: 'none' })).status).toBe(404);
    expect((await say(unknown, { text: 'x' })).status).toBe(404);
    expect((await server.get(`/v1/conversations/${unknown}`)).status).toBe(404);
    expect((await server.post(`/v1/conversations/${unknown}/replay`)).status).toBe(404);
    const unfit = await server.post('/v1/conversations', { agentName: 'clerk', initialData: { name: 5 } });
    expect([unfit.status, unfit.body.errors]).toMatchObject([422, [{ path: '/initialData/name' }]]);
  });
});
