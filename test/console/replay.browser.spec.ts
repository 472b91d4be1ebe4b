import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';
import { serverOfTheDemo } from './server-of-the-demo.js';

describe('replay in the console', () => {
  let browser: TestBrowser;
  let server: RedialServer;
  let page: Page;

  beforeAll(async () => {
    server = await serverOfTheDemo();
    browser = await TestBrowser.start();
    page = await browser.open(server.url);
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
  });

  const verify = async () => {
    await page.getByRole('tab', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Verify replay' }).click();
  };

  it.each([
    ['runs', 'run'],
    ['conversations', 'conversation'],
  ])('of %s proves them, goes through their time, and saves them as a file', async (list, kind) => {
    const { body } = await server.get(`/v1/${list}`);
    const [one] = (body as { items: { [id: string]: string }[] }).items;
    const id = one?.[`${kind}Id`] ?? '';
    await page.goto(`${server.url}/${list}/${id}`);
    await verify();
    await page.getByText('identical').waitFor();
    const saving = page.getByRole('button', { name: 'Export history' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), saving]);
    const [head = ''] = readFileSync(await download.path(), 'utf8').split('\n');
    expect(JSON.parse(head)).toMatchObject({ redial: 'history', root: { kind, id } });
    const slider = page.getByRole('slider', { name: 'Time' });
    await slider.focus();
    await slider.press('Home');
    await page.getByText(/^after revision 0 of/).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    expect(new URL(page.url()).searchParams.get('at')).toBeNull();
  });

  it('and the causes of a run lead to the events of the runs that it started, and an address to none says so', async () => {
    const { body } = await server.get('/v1/runs?workflow=planner');
    const [{ runId, parent } = {}] = (body as { items: { runId: string; parent: string }[] }).items;
    await page.goto(`${server.url}/runs/${parent}?tab=diagram`);
    await page.locator(`a[href*="${runId}@1"]`).first().click();
    await page.getByText('This page does not have the event').waitFor();
    await page.getByRole('link', { name: 'The run that has it' }).click();
    await page.waitForURL(`**/runs/${runId}?event=*`);
    await page.getByRole('region', { name: 'Event' }).waitFor();
    await page.goto(`${server.url}/runs/${runId}?event=nothing@7`);
    await page.getByText('This page does not have the event nothing@7.').waitFor();
  });

  it('of a forked conversation names the turn after which it was forked where it is shown, and no turn 0 before', async () => {
    const { body } = await server.get('/v1/conversations');
    const [{ conversationId } = {}] = (body as { items: { conversationId: string }[] }).items;
    const { history } = (await server.get(`/v1/conversations/${conversationId}`)).body as {
      history: { turnId: string }[];
    };
    const fork = await server.post(`/v1/conversations/${conversationId}/forks`, {
      atTurn: history[0]?.turnId,
    });
    const forked = `${server.url}/conversations/${(fork.body as { conversationId: string }).conversationId}`;
    await page.goto(forked);
    await page.getByText('after turn 1 by').waitFor();
    await page.goto(`${forked}?at=0`);
    await page.getByText('after a later turn by').waitFor();
  });

  it('of a log that somebody changed says where the record differs, and leads to that event', async () => {
    const place = { dataDir: join(server.place.dataDir ?? '', 'tampered-copy') };
    await server.stop();
    server = await RedialServer.start({ place });
    const { body } = await server.get(`/v1/sessions?limit=50&minPosition=${await server.head()}`);
    const { items } = body as { items: { sessionId: string }[] };
    const isChanged = async (id: string) => !(await server.post(`/v1/sessions/${id}/replay`)).body.identical;
    const changed: string[] = [];
    for (const { sessionId } of items) if (await isChanged(sessionId)) changed.push(sessionId);
    page = await browser.open(`${server.url}/sessions/${changed[0]}`);
    await verify();
    await page
      .getByText(/^diverges at revision \d+ \//)
      .first()
      .waitFor();
    for (const name of ['Recorded', 'Replayed']) await page.getByRole('region', { name }).first().waitFor();
    const event = page.getByRole('tabpanel').getByRole('link').first();
    const type = (await event.textContent()) ?? '';
    await event.click();
    await page.getByRole('region', { name: 'Event' }).getByText(type).first().waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
