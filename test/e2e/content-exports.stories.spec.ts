import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { exportedText } from '#lib/client';
import { ProjectionRunner } from '#lib/read-models';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';

const masterKey = randomBytes(32).toString('base64');
const subject = 'customer-42';
const deny = { transitionName: 'deny', reasoning: 'It is whole' };

describeOnEachEngine('exports of content', (emptyPlace) => {
  let server: RedialServer;
  let about: string;
  const script = Array.from({ length: 5 }, () =>
    text({ transitionName: 'review', toState: 'review', reasoning: 'Look at it' }),
  );
  const decided = async (labels: object, choice: object) => {
    const asked = { machineName: 'refunds', metaJson: { text: 'Cup' }, ...labels };
    const { sessionId } = (await server.post('/v1/sessions', asked)).body as { sessionId: string };
    await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    const body = { specialistId: 'boss', ...choice };
    const answer = await server.post(`/v1/sessions/${sessionId}/arbitrations`, body);
    expect(answer).toMatchObject({ status: 200, body: { executed: true } });
    return sessionId;
  };

  beforeAll(async () => {
    const environment = { REDIAL_MASTER_KEY: masterKey };
    server = await RedialServer.start({ place: await emptyPlace(true), environment, script });
    await server.post('/v1/machines', reviewedRefunds);
    const overriding = await decided({}, deny);
    about = await decided({ subject }, deny);
    await decided({}, { transitionName: 'review', reasoning: 'So it is' });
    await server.post(`/v1/sessions/${overriding}/fork`, { revision: 2 });
    await server.app.get(ProjectionRunner).caughtUpWithHead(20_000);
  });
  afterAll(() => server.stop());

  const exported = async (dataset: string, body: object = {}, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}/v1/exports/${dataset}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const written = await response.text();
    const lines = response.ok ? written.split('\n').filter((line) => line !== '') : [];
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      written,
      lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  };
  const recorded = async () => {
    const { body } = await server.get('/v1/events?types=ContentExported');
    return (body as { items: { data: Record<string, unknown> }[] }).items.map(({ data }) => data);
  };

  it('are chats of the rounds that people decided, with the choice of the person as the answer', async () => {
    const { type, lines } = await exported('training');
    expect([type, lines.length]).toEqual(['application/x-ndjson; charset=utf-8', 3]);
    for (const { messages, ...rest } of lines) {
      expect(rest).toEqual({});
      expect((messages as { role: string }[]).map(({ role }) => role)).toEqual([
        'system',
        'user',
        'assistant',
      ]);
    }
    const [{ messages } = {}] = lines as { messages: { content: string }[] }[];
    expect(messages?.[1]?.content).toContain('And now?');
    expect(messages?.[1]?.content).toContain('{"text":"Cup"}');
    expect(JSON.parse(messages?.[2]?.content ?? '')).toEqual({ ...deny, toState: 'closed' });
  });

  it('are pairs of the choice of a person and the proposal of a model that was overridden', async () => {
    const { lines } = await exported('preferences', { machineName: 'refunds' });
    expect(lines).toHaveLength(2);
    for (const { input, preferred_output, non_preferred_output } of lines) {
      expect(input).toMatchObject({ messages: [{ role: 'system' }, { role: 'user' }], tools: [] });
      const [[preferred], [other]] = [preferred_output, non_preferred_output] as [
        [{ content: string }],
        [{ content: string }],
      ];
      expect(JSON.parse(preferred.content)).toEqual({ ...deny, toState: 'closed' });
      expect(JSON.parse(other.content)).toMatchObject({ transitionName: 'review', reasoning: 'Look at it' });
    }
  });

  it('are recorded before they are sent: who, what and how much', async () => {
    await exported('training', { from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' });
    expect(await recorded()).toMatchObject([
      { dataset: 'training', by: 'operator', rounds: 3, position: expect.any(String) },
      { dataset: 'preferences', machineName: 'refunds', rounds: 2 },
      { dataset: 'training', from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z', rounds: 0 },
    ]);
  });

  it('are the same again for the same key, and recorded once', async () => {
    const key = { 'Idempotency-Key': 'one' };
    const first = await exported('training', {}, key);
    await decided({}, deny);
    expect((await exported('training', {}, key)).written).toBe(first.written);
    expect((await exported('training', { machineName: 'other' }, key)).status).toBe(422);
    expect(await recorded()).toHaveLength(4);
  });

  it('are what the client gives, and are refused for rows and unknown members', async () => {
    let ofClient = '';
    for await (const part of exportedText({ url: server.url }, { dataset: 'training' })) ofClient += part;
    expect(ofClient).toBe((await exported('training')).written);
    expect(await exported('rounds')).toMatchObject({
      status: 404,
      written: expect.stringContaining('unknown-dataset'),
    });
    expect((await exported('training', { format: 'csv' })).status).toBe(400);
  });

  it('are listed for a subject that they held, before and after it is erased, and hold it no more then', async () => {
    const { body: before } = await server.get(`/v1/subjects/${subject}`);
    const held = [
      { what: 'training', by: 'operator', at: expect.any(String) },
      { what: 'preferences' },
      { what: 'training' },
      { what: 'training' },
      { what: 'training' },
    ];
    expect(before).toMatchObject({ sessions: [about], exports: held });
    const { exports } = before as { exports: object[] };
    expect((await server.post(`/v1/subjects/${subject}/erase`)).body).toMatchObject({ subject, exports });
    expect((await server.get(`/v1/subjects/${subject}`)).body).toMatchObject({ exports });
    const key = { 'Idempotency-Key': 'one' };
    expect((await exported('training', {}, key)).lines).toHaveLength(2);
    expect((await exported('training')).lines).toHaveLength(3);
    expect((await exported('preferences')).lines).toHaveLength(2);
    expect((await server.get(`/v1/subjects/${subject}`)).body).toMatchObject({ exports });
  });

  it('are whole for each of two calls with the same key at the same moment', async () => {
    const key = { 'Idempotency-Key': 'at once' };
    const before = await recorded();
    const [one, other] = await Promise.all([exported('training', {}, key), exported('training', {}, key)]);
    expect([one.lines.length, other.written]).toEqual([3, one.written]);
    expect(await recorded()).toHaveLength(before.length + 1);
  });

  it('leave out sessions about a subject whose key is missing', async () => {
    await decided({ subject: 'eve' }, deny);
    const { keys } = server.log;
    const { source } = keys;
    keys.forgetAll();
    keys.use({ find: () => Promise.resolve(undefined) }, true);
    const { status, lines } = await exported('training');
    keys.use(source, true, (gone) => server.log.forget(gone));
    expect([status, lines.length]).toEqual([200, 3]);
    expect((await exported('training')).lines).toHaveLength(4);
  });
});
