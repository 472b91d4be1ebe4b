import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RedialServer } from '../support/redial-server.js';
import { approval } from '../support/approval.workflow.js';
import { obstacle, stumbling } from '../support/stumbling.workflow.js';
import { TestBrowser } from './browser.js';
import { downTheLadder, returns, taskOf } from './shop.js';
import { violationsOf } from './violations.js';

describe('what has ended, was erased or cannot be read', () => {
  let browser: TestBrowser;
  let server: RedialServer;
  let page: Page;

  beforeAll(async () => {
    server = await RedialServer.start({
      script: [...downTheLadder, ...downTheLadder, ...downTheLadder, ...downTheLadder],
      environment: { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') },
      options: { workflows: [approval, stumbling] },
    });
    await server.post('/v1/machines', returns);
    browser = await TestBrowser.start();
    page = await browser.open(`${server.url}/`);
  });
  afterAll(async () => {
    expect(browser.complaints).toEqual([]);
    await browser.stop();
    await server.stop();
  });

  const open = (path: string) => page.goto(`${server.url}${path}`);
  const link = (name: string) => page.getByRole('link', { name });

  /** A session that waits for people. */
  async function waiting(about: object = {}): Promise<string> {
    const { body } = await server.post('/v1/sessions', { machineName: 'returns', ...about });
    const { sessionId } = body as { sessionId: string };
    await server.post(`/v1/sessions/${sessionId}/run`, { maxTicks: 4 });
    return sessionId;
  }

  it('a closed session is found by its status, its last round is closed, and its task needs no answer', async () => {
    const sessionId = await waiting();
    const { taskId } = await taskOf(server, sessionId);
    await server.post(`/v1/sessions/${sessionId}/close`, { reason: 'The customer withdrew' });
    await open('/sessions');
    await page.getByLabel('Status').selectOption('closed');
    await page.waitForURL('**/sessions?status=closed');
    await link(sessionId.slice(0, 8)).click();
    const round = page.getByRole('row', { name: 'Round 2' });
    expect(await round.textContent()).toMatch(/^Round 2closed2 events/);
    await open(`/tasks/${taskId}`);
    await page.getByText('or its session or run has ended').waitFor();
  });

  it('a session whose subject was erased offers no fork, nor its call a try', async () => {
    const sessionId = await waiting({ subject: 'ann' });
    await open(`/sessions/${sessionId}`);
    await page.getByRole('button', { name: 'Fork from here' }).waitFor();
    expect((await server.post('/v1/subjects/ann/erase')).status).toBe(200);
    await page.getByText('content erased').waitFor();
    expect(await page.getByRole('button', { name: /Fork/ }).count()).toBe(0);
    const { body } = await server.get(`/v1/llm-calls?sessionId=${sessionId}`);
    await open(`/calls/${(body as { items: { callId: string }[] }).items[0]?.callId}`);
    await page.getByText('The reply is erased.').waitFor();
    expect(await page.getByRole('button', { name: 'Try with another model' }).count()).toBe(0);
  });

  it('the replay of a session whose subject was erased says that its content was not derived', async () => {
    const sessionId = await waiting({ subject: 'bob' });
    expect((await server.post('/v1/subjects/bob/erase')).status).toBe(200);
    await open(`/sessions/${sessionId}?tab=replay`);
    await page.getByRole('button', { name: 'Verify replay' }).click();
    await page.getByText('2 streams without content: only their structure was checked.').waitFor();
  });

  it('a run says that it was given up, or asked to end, without a reason too', async () => {
    const input = { item: 'cup' };
    const { body } = await server.post('/v1/runs', { workflow: 'approval', input, waitMs: 10_000 });
    const { runId } = body as { runId: string };
    await server.post(`/v1/runs/${runId}/cancel`);
    await open(`/runs/${runId}`);
    await page.getByRole('row', { name: 'asked to end' }).waitFor();
  });

  it('a run that is set aside says so, and why', async () => {
    obstacle.isThere = true;
    const { body } = await server.post('/v1/runs', { workflow: 'stumbling', input: {} });
    const { runId } = body as { runId: string };
    while ((await server.get('/v1/recovery')).body.items.length === 0);
    await open(`/runs/${runId}`);
    await page.getByText('It is set aside.').waitFor();
    await page.getByText('the price of the order is missing').waitFor();
    await link('see Recovery').click();
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
  });

  it('two ids that nothing has are compared with nothing', async () => {
    await open('/compare?a=nothing&b=none');
    await page.getByText('No session, run or conversation has the id nothing.').waitFor();
  });

  it('lists say that a stream stands still, and the page of the system which, on a phone too', async () => {
    const sessionId = await waiting();
    const { store, streams } = server.log;
    const event = { type: 'HumanOverrideAccepted', data: '[]', metadata: '{"schemaVersion":1}' };
    await store.append(streams.of('session', sessionId), 'any', [{ eventId: randomUUID(), ...event }]);
    for (const list of ['/sessions', '/tasks']) {
      await open(list);
      await page.getByText('1 stream cannot be read to the end').waitFor();
    }
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 740 });
    await link('see Projections').click();
    await page.getByText(`of redial_session-${sessionId}`).first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('each page says that the rows are not filled, from an event of a newer release on', async () => {
    const sessionId = await waiting();
    const { store, streams } = server.log;
    const event = { type: 'SessionPostponed', data: '{}', metadata: '{"schemaVersion":1}' };
    await store.append(streams.of('session', sessionId), 'any', [{ eventId: randomUUID(), ...event }]);
    for (const path of ['/sessions', '/', '/machines']) {
      await open(path);
      await page.getByText('The rows are not filled').waitFor();
    }
    expect(await violationsOf(page)).toEqual([]);
    await link('see Projections').click();
    await page.getByText('SessionPostponed').first().waitFor();
  });
});
