import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine';
import { MasterKey } from '#lib/event-store';
import type { LlmCall } from '#lib/client';
import { temporaryFolder } from '#lib/kernel/testing';
import { READ_STORE } from '#lib/operations';
import { openSqliteKeyStore, ProjectionRunner, type ReadStore, SubjectKeys } from '#lib/read-models';
import { runsToExport } from '#lib/telemetry';
import { askingFor } from '#lib/workflow/testing';
import { OtlpReceiver, plainAttributes } from '../support/otlp-receiver.js';
import { RedialServer } from '../support/redial-server.js';
import { openRefund } from '../support/refunds.js';
import { reviewedRefunds } from '../support/reviewed-refunds.js';

const MARKER = 'marker-4711-of-ann';

function loseKeys(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith('keys.sqlite')))
    rmSync(join(dataDir, name));
}

it('a session, its fork and a value that is stored apart are erased, and a key that is restored from a backup is destroyed at the next start', async () => {
  const dataDir = temporaryFolder();
  const secret = randomBytes(32);
  const environment = { REDIAL_MASTER_KEY: secret.toString('base64') };
  const start = () => RedialServer.start({ place: { dataDir }, environment });
  let server = await start();
  await server.post('/v1/machines', reviewedRefunds);
  const metaJson = { note: MARKER, large: MARKER.repeat(20_000) };
  const { body: made } = await server.post('/v1/sessions', {
    machineName: 'refunds',
    metaJson,
    subject: 'ann',
  });
  const fork = await server.post(`/v1/sessions/${made.sessionId}/forks`, { atRevision: 0 });
  expect([fork.status, fork.body]).toMatchObject([201, { metaJson, subject: 'ann' }]);
  const { logId } = server.log.store;
  const [file, backup] = ['keys.sqlite', 'backup'].map((name) => join(dataDir, name)) as [string, string];
  const keysIn = () =>
    new SubjectKeys(logId, new MasterKey(secret), async (use) => {
      const store = await openSqliteKeyStore(file);
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    });
  expect(await keysIn().find('ann')).toHaveLength(32);
  copyFileSync(file, backup);
  expect((await server.post('/v1/subjects/ann/erase')).status).toBe(200);
  for (const id of [made.sessionId, fork.body.sessionId])
    expect((await server.get(`/v1/sessions/${id}`)).body).toMatchObject({ erased: true, status: 'closed' });
  await server.stop();
  for (const name of readdirSync(dataDir))
    expect([name, readFileSync(join(dataDir, name)).includes(MARKER)]).toEqual([name, false]);
  copyFileSync(backup, file);
  expect(await keysIn().find('ann')).toHaveLength(32);
  server = await start();
  const { body: session } = await server.get(`/v1/sessions/${made.sessionId}`);
  expect(JSON.stringify(session)).not.toContain(MARKER);
  for (let tries = 0; tries < 300 && (await keysIn().find('ann')) !== 'erased'; tries++) await delay(100);
  expect(await keysIn().find('ann')).toBe('erased');
  await server.stop();
});

it('a subject whose key is lost gets no new one, also while rows are filled again, and others do', async () => {
  const dataDir = temporaryFolder();
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const start = () => RedialServer.start({ place: { dataDir }, environment });
  let server = await start();
  await server.post('/v1/machines', reviewedRefunds);
  const begin = (subject: string) =>
    server.post('/v1/sessions', { machineName: 'refunds', metaJson: { note: MARKER }, subject });
  const { body: made } = await begin('ann');
  await server.stop();
  for (const name of readdirSync(dataDir).filter((one) => /^(keys|read)\.sqlite/.test(one)))
    rmSync(join(dataDir, name));
  server = await start();
  const missing = { status: 503, body: { code: 'key-missing' } };
  expect(await begin('ann')).toMatchObject(missing);
  expect(await server.get(`/v1/sessions/${made.sessionId}`)).toMatchObject({ status: 503 });
  expect((await begin('bob')).status).toBe(201);
  await server.stop();
});

it('a task whose key is lost is in no list, and hides no other', async () => {
  const place = { dataDir: temporaryFolder() };
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const options = { workflows: [askingFor({ type: 'boolean' })] };
  const start = () => RedialServer.start({ place, environment, options });
  let server = await start();
  for (const about of [{ subject: 'ann' }, {}])
    await server.post('/v1/runs', { workflow: 'asking', input: {}, waitMs: 10_000, ...about });
  const tasks = async () => (await server.get('/v1/tasks')).body as { items: readonly object[] };
  const [, other] = (await tasks()).items;
  expect(other).toMatchObject({ status: 'open' });
  await server.stop();
  loseKeys(place.dataDir);
  server = await start();
  expect(await tasks()).toEqual({ items: [other], nextCursor: null });
  await server.stop();
});

it('a run whose key is lost has no spans, and keeps back those of no other', async () => {
  const receiver = await OtlpReceiver.start();
  receiver.status = 500;
  const dataDir = temporaryFolder();
  const environment = {
    REDIAL_MASTER_KEY: randomBytes(32).toString('base64'),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
  const start = () => RedialServer.start({ place: { dataDir }, environment });
  let server = await start();
  server.llm.enqueue(toolCall('approve', {}), toolCall('approve', {}));
  const open = await openRefund(server);
  const { body: about } = await server.post('/v1/sessions', { machineName: 'refunds', subject: 'ann' });
  for (const id of [about.sessionId, open])
    await server.post(`/v1/sessions/${id}/proposals`, { specialistId: 'clerk' });
  const store = server.app.get<ReadStore>(READ_STORE);
  while ((await runsToExport(store, 2)).length < 2) await setImmediate();
  await server.stop();
  loseKeys(dataDir);
  receiver.status = 200;
  server = await start();
  const [run] = await receiver.spans(2);
  expect(plainAttributes(run?.attributes ?? [])).toMatchObject({ 'gen_ai.conversation.id': open });
  await server.stop();
  await receiver.close();
});

it('a call whose key is lost is listed without its bodies, and takes those of no other', async () => {
  const dataDir = temporaryFolder();
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const start = () => RedialServer.start({ place: { dataDir }, environment });
  let server = await start();
  server.llm.enqueue(toolCall('approve', {}), toolCall('approve', {}), toolCall('approve', {}));
  await openRefund(server);
  const open = () => server.post('/v1/sessions', { machineName: 'refunds' });
  const { body: about } = await server.post('/v1/sessions', { machineName: 'refunds', subject: 'ann' });
  for (const id of [(await open()).body.sessionId, about.sessionId, (await open()).body.sessionId])
    await server.post(`/v1/sessions/${id}/proposals`, { specialistId: 'clerk' });
  const calls = async () => (await server.get('/v1/llm-calls?include=bodies')).body.items as object[];
  const [last, lost, first] = await calls();
  await server.stop();
  loseKeys(dataDir);
  server = await start();
  const { requestUrl: _, requestHeaders: __, requestBody: ___, responseBody: ____, ...row } = lost as LlmCall;
  expect(await calls()).toEqual([last, row, first]);
  await server.stop();
});

it('rows that are restored from before an erasure are filled again after the start, once, and their file has none of the content', async () => {
  const dataDir = temporaryFolder();
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  const start = () => RedialServer.start({ place: { dataDir }, environment });
  const [file, backup] = ['read.sqlite', 'backup'].map((name) => join(dataDir, name)) as [string, string];
  let server = await start();
  await server.post('/v1/machines', reviewedRefunds);
  const given = { machineName: 'refunds', metaJson: { note: MARKER }, subject: 'ann' };
  const { body: made } = await server.post('/v1/sessions', given);
  await server.get(`/v1/sessions/${made.sessionId}`);
  await server.stop();
  copyFileSync(file, backup);
  server = await start();
  expect((await server.post('/v1/subjects/ann/erase')).status).toBe(200);
  await server.stop();
  const hasMarker = () => readFileSync(file).includes(MARKER);
  renameSync(backup, file);
  expect(hasMarker()).toBe(true);
  server = await start();
  const { app } = server;
  const after = async () => app.get(ProjectionRunner).wereFilledAfter((await server.log.store.head()) ?? '');
  for (let tries = 0; tries < 300 && !(await after()); tries++) await delay(100);
  const { body: session } = await server.get(`/v1/sessions/${made.sessionId}`);
  expect([session.erased, session.metaJson]).toEqual([true, undefined]);
  await server.stop();
  expect(hasMarker()).toBe(false);
});

it('an erasure that is asked for while restored rows cannot be filled again destroys its key, lets the process stop, and ends after the next start', async () => {
  const dataDir = temporaryFolder();
  const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
  let isBroken = false;
  const SessionCreated = () => {
    if (isBroken) throw new Error('the fold of the application throws');
  };
  const fold = { name: 'watching', version: 1, kinds: [], on: { session: { SessionCreated } } };
  const options: RedialOptions = { folds: [fold] };
  const start = () => RedialServer.start({ place: { dataDir }, environment, options });
  const [file, backup] = ['read.sqlite', 'backup'].map((name) => join(dataDir, name)) as [string, string];
  let server = await start();
  await server.post('/v1/machines', reviewedRefunds);
  for (const subject of ['ann', 'bob', 'cy'])
    await server.post('/v1/sessions', { machineName: 'refunds', metaJson: { note: MARKER }, subject });
  await server.app.get(ProjectionRunner).caughtUpWithHead(20_000);
  await server.stop();
  copyFileSync(file, backup);
  server = await start();
  expect((await server.post('/v1/subjects/ann/erase')).status).toBe(200);
  await server.stop();
  renameSync(backup, file);
  isBroken = true;
  server = await start();
  const [runner, keys] = [server.app.get(ProjectionRunner), server.app.get(SubjectKeys)];
  const until = async (isSo: () => Promise<boolean>) => {
    for (let tries = 0; tries < 200 && !(await isSo()); tries++) await delay(100);
    expect(await isSo()).toBe(true);
  };
  await until(async () => runner.fillingFailure !== undefined);
  const answers = [];
  for (const subject of ['bob', 'cy']) {
    answers.push(server.post(`/v1/subjects/${subject}/erase`));
    await until(async () => (await keys.find(subject)) === 'erased');
  }
  expect(runner.fillingFailure?.message).toContain('the fold of the application throws');
  await server.stop();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(503);
  isBroken = false;
  server = await start();
  for (const subject of ['bob', 'cy'])
    expect((await server.post(`/v1/subjects/${subject}/erase`)).status).toBe(200);
  await server.stop();
  expect(readFileSync(file).includes(MARKER)).toBe(false);
}, 120_000);
