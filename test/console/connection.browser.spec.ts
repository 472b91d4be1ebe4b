import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '#lib/kernel/testing';
import { approval } from '../support/approval.workflow.js';
import { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';
import { returns } from './shop.js';

describe('the connection of the console', () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser.stop();
  });

  const open = async (server: RedialServer) => {
    const { body } = await server.post('/v1/sessions', { machineName: 'returns' });
    return (body as { sessionId: string }).sessionId;
  };
  const rowOf = (page: Page, sessionId: string) =>
    page.getByRole('table', { name: 'Sessions' }).getByRole('link', { name: sessionId.slice(0, 8) });

  it('says "Connection lost", and shows what came in the meantime when the server is back', async () => {
    const place = { dataDir: temporaryFolder() };
    const first = await RedialServer.start({ place });
    await first.post('/v1/machines', returns);
    const page = await browser.open(`${first.url}/sessions`);
    await page.getByText('No sessions yet').waitFor();
    await first.stop();
    const lost = page.getByRole('status').filter({ hasText: 'Connection lost' });
    await lost.waitFor();
    const between = await RedialServer.start({ place });
    const sessionId = await open(between);
    await between.stop();
    const second = await RedialServer.start({ place, environment: { PORT: new URL(first.url).port } });
    try {
      await lost.waitFor({ state: 'detached' });
      await rowOf(page, sessionId).waitFor();
    } finally {
      await second.stop();
    }
  });

  it('shows a page and a part of a page that were opened while the server was away once it is back', async () => {
    const setting = { place: { dataDir: temporaryFolder() }, options: { workflows: [approval] } };
    const first = await RedialServer.start(setting);
    const input = { item: 'cup' };
    const { body } = await first.post('/v1/runs', { workflow: 'approval', input, waitMs: 10_000 });
    const run = await browser.open(`${first.url}/runs/${(body as { runId: string }).runId}`);
    const list = await browser.open(first.url);
    await run.getByRole('treegrid').waitFor();
    await first.stop();
    for (const page of [run, list]) await page.getByText('Connection lost').waitFor();
    await run.getByRole('tab', { name: 'Diagram' }).click();
    await list.getByRole('link', { name: 'System' }).click();
    for (const page of [run, list]) await page.getByText('Loading …').waitFor();
    const environment = { PORT: new URL(first.url).port };
    const second = await RedialServer.start({ ...setting, environment });
    try {
      await run.getByRole('group', { name: 'Diagram of causes' }).waitFor();
      await list.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    } finally {
      await second.stop();
    }
  });

  it('is one stream for all tabs, and another tab takes it over when its own has gone', async () => {
    const server = await RedialServer.start({ place: { dataDir: temporaryFolder() } });
    try {
      await server.post('/v1/machines', returns);
      const first = await browser.open(`${server.url}/sessions`);
      await first.getByText('No sessions yet').waitFor();
      const second = await first.context().newPage();
      const asked: string[] = [];
      second.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await second.goto(`${server.url}/sessions`);
      await second.getByText('No sessions yet').waitFor();
      const sessionId = await open(server);
      for (const page of [first, second]) await rowOf(page, sessionId).waitFor();
      expect(asked).not.toContain('/v1/events/stream');
      await first.close();
      await rowOf(second, await open(server)).waitFor();
      expect(asked).toContain('/v1/events/stream');
    } finally {
      await server.stop();
    }
  });
});
