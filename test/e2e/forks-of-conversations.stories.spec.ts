import { afterEach, expect, it } from '@jest/globals';
import { httpError, type ScriptedReply, text, toolCall } from '#lib/activities/testing';
import { NO_USAGE } from '#lib/call-rules';
import { EngineSettings, eventCatalogue, Redial } from '#lib/engine';
import { openHistory, regress, Today, verifyHistory } from '#lib/histories';
import { fileWith, historyFile } from '#lib/histories/testing';
import type { Json } from '#lib/kernel';
import { clerk } from '../support/clerk.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';

const OTHER = 'gpt-4o';
const booker = {
  ...clerk,
  agentName: 'booker',
  flows: [
    {
      title: 'Booking',
      requiredFields: ['day'],
      steps: [{ id: 'do', prompt: 'Book', collect: ['day'], tools: ['book'] }],
    },
  ],
};
type Body = { readonly model: string; readonly temperature?: number; readonly response_format?: Named };
type Named = { readonly json_schema: { readonly name: string } };

describeOnEachEngine('a fork of a conversation', (emptyPlace) => {
  let server: RedialServer;
  let redial: Redial;
  let answers: { [purpose: string]: ScriptedReply[] };
  const booked: Json[] = [];

  async function begin(responses: readonly ScriptedReply[]): Promise<string> {
    booked.length = 0;
    answers = { respond: [...responses] };
    server = await RedialServer.start({
      place: await emptyPlace(),
      script: ({ body }) => {
        const purpose = (body as Body).response_format?.json_schema.name ?? 'text';
        if (purpose === 'route') return text({ intent: 'to book', scores: { Booking: 90 } });
        if (purpose === 'extract') return text({});
        return answers[purpose]?.shift() ?? httpError(400, `no ${purpose}`);
      },
      options: { functions: { book: (given: unknown) => void booked.push(given as Json) } },
    });
    redial = server.app.get(Redial);
    const parameters = { type: 'object', properties: { day: { type: 'string' } } };
    await redial.registerTool({
      toolId: 'book',
      description: 'Books',
      parameters,
      execution: { fnName: 'book' },
    });
    await server.post('/v1/agents', booker);
    return (await redial.startConversation({ agentName: 'booker', tags: { city: 'Bern' } })).conversationId;
  }
  afterEach(() => server.stop());

  const say = (conversationId: string, said: string) => redial.sendMessage({ conversationId, text: said });
  const fork = (conversationId: string, body: object, headers = {}) =>
    server.post(`/v1/conversations/${conversationId}/forks`, body, headers);
  async function replays(conversationId: string): Promise<void> {
    const report = await redial.replayConversation({ conversationId });
    expect(report).toMatchObject({ identical: true, divergences: [] });
  }

  it('goes on after a turn under what it overrides, and its parent is untouched', async () => {
    const said = ['Which day?', 'Friday it is.', 'Monday it is.'].map((message) => text({ message }));
    const conversationId = await begin(said);
    const first = await say(conversationId, 'Hello');
    await say(conversationId, 'Friday');
    const before = await redial.getConversation({ conversationId });
    const overrides = { model: OTHER, modelParameters: { temperature: 0.5 } };
    const asked = { atTurn: first.turnId, overrides, reason: 'What if?' };
    const made = await fork(conversationId, asked, { 'Idempotency-Key': 'once' });
    const forkedFrom = { conversationId, turnId: first.turnId, by: 'operator', reason: 'What if?' };
    expect([made.status, made.body]).toMatchObject([
      201,
      { agentName: 'booker', tags: { city: 'Bern' }, forkedFrom, history: [{}, { content: 'Which day?' }] },
    ]);
    expect(made.body).toMatchObject({ usage: NO_USAGE });
    const again = await fork(conversationId, asked, { 'Idempotency-Key': 'once' });
    expect(again.body).toEqual(made.body);
    const id = (made.body as { conversationId: string }).conversationId;
    const turn = await say(id, 'Monday');
    expect(turn).toMatchObject({ status: 'completed', message: 'Monday it is.' });
    expect(server.llm.requests.at(-1)?.body).toMatchObject({ model: OTHER, temperature: 0.5 });
    expect(await redial.getConversation({ conversationId })).toEqual(before);
    const { createdAt, usage } = await redial.getConversation({ conversationId: id });
    expect(usage).toEqual(turn.usage);
    const { items: turns } = await redial.listTurns({ conversationId: id });
    expect(turns).toEqual([first, turn]);
    const { items: calls } = await redial.listLlmCallsOfConversation({ conversationId: id });
    expect(new Set(calls.map(({ callId }) => callId))).toEqual(new Set(turn.llmCalls));
    const { items: forks } = await redial.listConversations({ forkedFrom: conversationId });
    expect(forks).toMatchObject([{ conversationId: id, forkedFrom, createdAt }]);
    expect(createdAt > before.createdAt).toBe(true);
    await replays(id);
    await replays(conversationId);
  });

  it('that is forked again begins as the first one left it, and its history file verifies and regresses', async () => {
    const conversationId = await begin(['One.', 'Two.', 'Three.'].map((message) => text({ message })));
    const { turnId } = await say(conversationId, 'Hello');
    const first = await redial.forkConversation({
      conversationId,
      atTurn: turnId,
      overrides: { model: OTHER },
    });
    const said = await say(first.conversationId, 'On');
    const second = await redial.forkConversation({
      conversationId: first.conversationId,
      atTurn: said.turnId,
      effects: 'allow',
    });
    await say(second.conversationId, 'And on');
    expect(server.llm.requests.at(-1)?.body).toMatchObject({ model: OTHER });
    await replays(second.conversationId);
    const why = await redial.whyConversation({ conversationId: second.conversationId });
    expect(why.nodes.map(({ type }) => type)).toContain('ConversationStarted');
    const { workflows } = server.app.get(EngineSettings);
    const codec = eventCatalogue();
    const file = fileWith(Buffer.from(await historyFile(server.log, second.conversationId, workflows)));
    const opened = await openHistory(file, codec);
    expect(await verifyHistory(opened, workflows)).toMatchObject({ identical: true });
    await opened.log.store.close();
    const { histories } = await regress([file], new Today({ workflows }), { codec, engine: workflows });
    expect(histories).toMatchObject([{ verdict: 'same' }]);
  });

  it('holds a tool that changes something, in a task of a fork, until it is approved; and with "allow" calls it', async () => {
    const conversationId = await begin([
      text({ message: 'Which day?' }),
      toolCall('book', { day: 'Friday' }),
      text({ message: 'Booked.' }),
      toolCall('book', { day: 'Monday' }),
      text({ message: 'Booked, too.' }),
    ]);
    const { turnId: atTurn } = await say(conversationId, 'Hello');
    const held = await redial.forkConversation({ conversationId, atTurn });
    const turn = await say(held.conversationId, 'Friday');
    expect(turn).toMatchObject({ status: 'waiting', awaiting: [{ signal: 'approval' }] });
    expect(booked).toEqual([]);
    const { items: tasks } = await redial.listTasks({ status: 'open' });
    expect(tasks).toMatchObject([{ kind: 'approval', isFork: true }]);
    const { conversationId: id } = held;
    const went = await redial.signalTurn({
      conversationId: id,
      name: 'approval',
      payload: { approved: true },
    });
    expect(went).toMatchObject({ status: 'completed', message: 'Booked.' });
    expect(booked).toEqual([{ day: 'Friday' }]);
    const free = await redial.forkConversation({ conversationId, atTurn, effects: 'allow' });
    expect(await say(free.conversationId, 'Monday')).toMatchObject({ message: 'Booked, too.' });
    expect(booked).toEqual([{ day: 'Friday' }, { day: 'Monday' }]);
    for (const forked of [held, free]) await replays(forked.conversationId);
  });

  it('counts in no export and in no statistics', async () => {
    const conversationId = await begin([
      text({ message: 'Which day?' }),
      toolCall('book', { day: 'Friday' }),
      text({ message: 'Booked.' }),
    ]);
    const counted = () =>
      Promise.all(
        ['exports/runs', 'exports/tasks', 'exports/calls', 'models'].map(async (path) => {
          const response = await fetch(`${server.url}/v1/${path}`);
          return [path, response.status, await response.text()];
        }),
      );
    const { turnId: atTurn } = await say(conversationId, 'Hello');
    const before = await counted();
    expect(before[0]).toEqual(['exports/runs', 200, expect.stringContaining(atTurn)]);
    const { conversationId: id } = await redial.forkConversation({ conversationId, atTurn });
    expect(await say(id, 'Friday')).toMatchObject({ status: 'waiting' });
    await redial.signalTurn({ conversationId: id, name: 'approval', payload: { approved: true } });
    expect(await counted()).toEqual(before);
  });

  it('is refused after a turn that is unknown or open, and with an override that is unknown or no text', async () => {
    const conversationId = await begin([
      text({ message: 'Hi.' }),
      toolCall('book', {}),
      text({ message: 'Ok.' }),
    ]);
    const { turnId: atTurn } = await say(conversationId, 'Hello');
    const { conversationId: id } = await redial.forkConversation({ conversationId, atTurn });
    const { turnId: open } = await say(id, 'Book');
    const none = '00000000-0000-4000-8000-000000000000';
    const refused = await Promise.all([
      fork(none, { atTurn }),
      fork(conversationId, { atTurn: none }),
      fork(id, { atTurn: open }),
      fork(conversationId, {}),
      fork(conversationId, { atTurn, overrides: { modelParameters: { extraBody: { tools: [] } } } }),
      fork(conversationId, { atTurn, overrides: { model: 'gpt[tools' } }),
      fork(conversationId, { atTurn, overrides: { effects: 'allow', model: 5 } }),
    ]);
    expect(refused.map(({ status, body }) => [status, body.code])).toMatchObject([
      [404, 'unknown-conversation'],
      [404, 'unknown-turn'],
      [409, 'turn-open'],
      [400, 'malformed-request'],
      [422, 'invalid-parameters'],
      [422, 'invalid-model'],
      [400, 'malformed-request'],
    ]);
    expect(refused.at(-3)?.body.errors).toMatchObject([
      { path: '/overrides/modelParameters/extraBody/tools' },
    ]);
    expect(refused.at(-2)?.body.errors).toMatchObject([{ path: '/overrides/model' }]);
    expect(refused.at(-1)?.body.errors).toMatchObject([
      { path: '/overrides/effects' },
      { path: '/overrides/model' },
    ]);
    // Before the open turn it can be forked.
    expect((await fork(id, { atTurn })).status).toBe(201);
  });
});
