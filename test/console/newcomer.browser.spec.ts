import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';
import { serverOfTheDemo } from './server-of-the-demo.js';

describe('what the demo leaves, for a newcomer who has only the console', () => {
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

  const openSession = async (customer: string) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await rows.filter({ hasText: customer }).getByRole('link').first().click();
  };

  it('says why a refund was denied, in the round that denied it', async () => {
    await openSession('Ben');
    const round = page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row', { name: 'Round 1' });
    await round.getByText('deny').first().waitFor();
    await round.getByText('Far beyond the 30 days.').waitFor();
  });

  it('shows what the model saw', async () => {
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByRole('table', { name: 'Calls' }).getByRole('link').first().click();
    const request = page.getByRole('region', { name: 'Request' });
    await request.getByText('I changed my mind, eleven months ago.').waitFor();
  });

  it('names the person who approved the call of a tool, in the run that called it', async () => {
    await openSession('Gwen');
    await page.getByRole('link', { name: /^planner/ }).click();
    const timeline = page.getByRole('treegrid', { name: 'Timeline' });
    await timeline.getByText(/signal approval by refund-lead/).waitFor();
  });

  it('counts the tasks that are overdue, and lists them first', async () => {
    const { body } = await server.get('/v1/tasks');
    const [, task] = (body as { items: { taskId: string; title: string }[] }).items;
    // The server refuses a time that has passed when the request arrives.
    const dueAt = new Date(Date.now() + 3_000).toISOString();
    const extended = await server.post(`/v1/tasks/${task?.taskId}/extend`, { dueAt });
    expect(extended.status).toBe(200);
    await page.getByRole('navigation').getByRole('link', { name: 'Tasks' }).click();
    const first = page.getByRole('table', { name: 'Tasks' }).getByRole('row').nth(1);
    await first.getByRole('link', { name: task?.title ?? '' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    while ((await server.get('/v1/tasks/counts')).body.overdue === 0);
    await page.reload();
    await page.getByText('1 overdue').waitFor();
    await page.getByRole('link', { name: 'Waits for people' }).click();
    await first.getByText('overdue').waitFor();
  });
});
