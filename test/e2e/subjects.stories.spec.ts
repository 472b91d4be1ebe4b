import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { sha256 } from '#lib/kernel';
import { approval } from '../support/approval.workflow.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { RedialServer } from '../support/redial-server.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';

const MARKER = 'marker-4711-of-ann';
const FORMS = [MARKER, sha256(MARKER), Buffer.from(MARKER).toString('hex'), btoa(MARKER).slice(0, -2)];
const masterKey = randomBytes(32).toString('base64');
const subject = 'customer-42';
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describeOnEachEngine('what is about a subject', (emptyPlace) => {
  let server: RedialServer;
  let place: Place;
  let spentBefore: object;
  const said = (transitionName: string, toState: string) =>
    text(
      { transitionName, toState, reasoning: MARKER },
      { usage: { prompt_tokens: 70, completion_tokens: 9 } },
    );
  const start = async (environment: object = { REDIAL_MASTER_KEY: masterKey }) => {
    const options = { workflows: [approval] };
    server = await RedialServer.start({ place, options, environment: { ...environment }, script });
  };
  const script = [said('review', 'review'), said('review', 'review')];

  beforeAll(async () => {
    place = await emptyPlace(true);
    await start();
    await server.post('/v1/machines', reviewedRefunds);
  });
  afterAll(() => server.stop());

  const stored = async () => {
    const events = await server.log.store.readAll({ limit: 10_000 });
    return events.map(({ data, metadata }) => data + metadata).join('\n');
  };

  /** The files of an embedded place in which a text stands. */
  const filesWith = (part: string) =>
    place.dataDir === undefined
      ? []
      : readdirSync(place.dataDir).filter((name) =>
          readFileSync(join(place.dataDir ?? '', name)).includes(part),
        );

  it('is in no byte of the log, and reads as it was given, also after a restart', async () => {
    const asked = { machineName: 'refunds', metaJson: { note: MARKER }, tags: { name: MARKER }, subject };
    const { status, body } = await server.post('/v1/sessions', asked);
    expect([status, body]).toMatchObject([201, { subject, metaJson: { note: MARKER } }]);
    const path = `/v1/sessions/${body.sessionId}`;
    const key = { 'Idempotency-Key': 'one' };
    expect((await server.post(`${path}/proposals`, { specialistId: 'clerk' })).status).toBe(201);
    expect((await server.post(`${path}/tick`, {}, key)).body).toMatchObject({ reasoning: MARKER });
    const run = { workflow: 'approval', input: { item: MARKER }, subject, waitMs: 5_000 };
    const { body: waiting } = await server.post('/v1/runs', run, key);
    expect(waiting).toMatchObject({ status: 'waiting', input: { item: MARKER }, subject });
    const { body: tasks } = await server.get('/v1/tasks');
    const [task] = (tasks as { items: { taskId: string; about: object }[] }).items;
    expect(task?.about).toMatchObject({ subject });
    const commented = await server.post(`/v1/tasks/${task?.taskId}/comments`, { text: MARKER }, key);
    expect(commented.status).toBe(201);
    for (const dueAt of [inHours(1), inHours(2)]) {
      const extended = await server.post(
        `/v1/tasks/${task?.taskId}/extend`,
        { dueAt },
        { 'Idempotency-Key': dueAt },
      );
      expect([extended.status, JSON.stringify(extended.body).includes(MARKER)]).toEqual([200, true]);
    }
    const answers = async () =>
      Promise.all(
        [path, `${path}/proposals`, `${path}/events`, `${path}/llm-calls`, `/v1/runs/${waiting.runId}`].map(
          async (one) => (await server.get(one)).text,
        ),
      );
    const [call] = (await server.get(`${path}/llm-calls`)).body.items as { callId: string }[];
    const tried = await server.post(`/v1/llm-calls/${call?.callId}/tries`);
    expect([tried.status, tried.body.call.responseBody]).toEqual([201, expect.stringContaining(MARKER)]);
    const before = await answers();
    for (const form of FORMS) expect(await stored()).not.toContain(form);
    await server.stop();
    script.length = 0;
    await start();
    expect(await answers()).toEqual(before);
    expect((await server.post(`${path}/tick`, {}, key)).body).toMatchObject({ reasoning: MARKER });
    expect((await server.post(`/v1/sessions/${body.sessionId}/replay`)).body).toMatchObject({
      identical: true,
    });
    expect((await server.post(`/v1/runs/${waiting.runId}/replay`)).body).toMatchObject({ identical: true });
    for (const form of FORMS) expect(await stored()).not.toContain(form);
  });

  /** The tokens of each call of a run. */
  const spent = async () => {
    const lines = (await server.get('/v1/exports/calls')).text.trimEnd().split('\n');
    return lines
      .map((line) => JSON.parse(line) as { callId: string; promptTokens: number; completionTokens: number })
      .map(({ callId, promptTokens, completionTokens }) => [callId, promptTokens, completionTokens]);
  };

  it('is found by its subject', async () => {
    for (const path of ['sessions', 'runs']) {
      const { body } = await server.get(`/v1/${path}?subject=${subject}`);
      expect(body.items).toHaveLength(1);
      expect((await server.get(`/v1/${path}?subject=other`)).body.items).toEqual([]);
    }
  });

  it('is gone once the subject is erased, and everything else is as it was', async () => {
    const other = await server.post('/v1/runs', {
      workflow: 'approval',
      input: { item: 'cup' },
      waitMs: 5_000,
    });
    const othersPath = `/v1/runs/${other.body.runId}`;
    const ofOther = (await server.get(othersPath)).text;
    const { body: about } = await server.get(`/v1/subjects/${subject}`);
    spentBefore = await spent();
    for (const choice of ['', '?keys=off', '?redact=content'])
      expect((await server.get(`/v1/sessions/${about.sessions[0]}/history${choice}`)).status).toBe(200);
    const erased = await server.post(`/v1/subjects/${subject}/erase`, { reason: 'They asked for it.' });
    const exports = ['history', 'history-without-key'].map((what) => ({ by: 'operator', what }));
    expect([about.exports, erased.body.exports]).toMatchObject([[], exports]);
    expect([erased.status, erased.body]).toMatchObject([200, { subject, streams: expect.any(Number) }]);
    expect(erased.body.streams).toBeGreaterThan(5);
    for (const form of FORMS) expect(filesWith(form)).toEqual([]);
    expect((await server.post(`/v1/subjects/${subject}/erase`)).body).toEqual(erased.body);
    const { body: known } = await server.get(`/v1/subjects/${subject}`);
    expect(known).toMatchObject({ subject, erasedAt: erased.body.erasedAt, exports });
    const [sessionId] = known.sessions as string[];
    const [runId] = known.runs as string[];
    const paths = [
      '/v1/sessions',
      '/v1/runs',
      '/v1/tasks?status=all',
      '/v1/llm-calls?include=bodies',
      '/v1/events?limit=500',
      `/v1/sessions/${sessionId}`,
      `/v1/sessions/${sessionId}/proposals`,
      `/v1/sessions/${sessionId}/events`,
      `/v1/sessions/${sessionId}/llm-calls`,
      `/v1/sessions/${sessionId}/why`,
      `/v1/sessions/${sessionId}/history`,
      `/v1/runs/${runId}`,
      `/v1/runs/${runId}/events`,
    ];
    for (const path of paths) {
      const { status, text: answer } = await server.get(path);
      expect([path, status]).toEqual([path, 200]);
      for (const form of FORMS) expect([path, answer.includes(form)]).toEqual([path, false]);
    }
    expect((await server.get(`/v1/sessions/${sessionId}`)).body).toMatchObject({
      erased: true,
      status: 'closed',
      history: [{ transitionName: 'review', reasoning: '[erased]' }],
    });
    expect((await server.get(`/v1/runs/${runId}`)).body).toMatchObject({
      erased: true,
      status: 'failed',
      failure: { kind: 'erased' },
    });
    expect((await server.get('/v1/projections')).body.items).not.toContainEqual(
      expect.objectContaining({ error: expect.anything() }),
    );
    expect((await server.get(othersPath)).text).toBe(ofOther);
    expect((await server.post(`/v1/sessions/${sessionId}/replay`)).body).toMatchObject({
      identical: true,
      erased: expect.any(Number),
    });
    const late = [
      await server.post('/v1/sessions', { machineName: 'refunds', subject }),
      await server.post('/v1/runs', { workflow: 'approval', input: { item: 'x' }, subject }),
      await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' }),
      await server.post(`/v1/sessions/${sessionId}/forks`, { atRevision: 1 }),
      await server.post(`/v1/runs/${runId}/cancel`),
      await server.post(`/v1/runs/${runId}/forks`, { atRevision: 1 }),
      await server.post(`/v1/sessions/${sessionId}/tick`, {}, { 'Idempotency-Key': 'one' }),
    ];
    expect(late.map(({ status, body }) => [status, body.code])).toEqual(late.map(() => [409, 'erased']));
    const ofRun = await server.post(`/v1/runs/${runId}/replay`);
    expect(ofRun.body).toMatchObject({ identical: true, erased: 1 });
    expect((await server.post('/v1/subjects/nobody/erase')).status).toBe(404);
  });

  it('leaves calls of models with their tokens and the outcome `erased`, and counts none of them as failed', async () => {
    expect(spentBefore).toEqual([[expect.any(String), 70, 9]]);
    expect(await spent()).toEqual(spentBefore);
    const { body } = await server.get('/v1/llm-calls?outcome=erased');
    expect(body.items).toMatchObject([
      { outcome: 'erased', responseStatus: 200, error: null },
      { outcome: 'erased', responseStatus: 200, error: null },
    ]);
    // One of them is a try, which is in no view.
    expect((await server.get('/v1/exports/calls')).text.match(/"outcome":"erased"/g)).toHaveLength(1);
    const costs = (await server.get('/v1/exports/costs')).text.trimEnd().split('\n');
    const counted = costs.map((line) => JSON.parse(line) as object);
    expect(counted).toMatchObject([{ calls: 1, failedCalls: 0, unpricedCalls: 1, costUSD: null }]);
  });
});
