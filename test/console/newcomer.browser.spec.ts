import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { toolCall } from '#lib/activities/testing';
import type { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';
import { TestBrowser } from './browser.js';
import { serverOfTheDemo } from './server-of-the-demo.js';

/** Decisions of `triage` by the clerk's model in the demo. */
const POINTS = 4;

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
    // The newcomer clicks on what is read, and not on the id.
    await rows.filter({ hasText: customer }).getByRole('cell').last().click();
    await page.getByRole('heading', { name: /^Session / }).waitFor();
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

  it('says whether the record of the decision still holds, and how much of it was derived again', async () => {
    await page.goBack();
    await page.getByRole('tab', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Verify replay' }).click();
    await page.getByText('identical').waitFor();
  });

  it('says whether another model would have decided the same: a fork from the first event, beside the session', async () => {
    server.llm.enqueue(toolCall('approve', { amount: 15, reason: 'Goodwill' }));
    await openSession('Ben');
    const slider = page.getByRole('slider', { name: 'Time' });
    await slider.focus();
    await slider.press('Home');
    await page.getByText('after revision 0 of').waitFor();
    await page.getByRole('button', { name: 'Fork with changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fork after revision 0' });
    await dialog.getByLabel('Model of refund-clerk').fill('gpt-4.1');
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.getByRole('button', { name: 'Run it now' }).click();
    await page.getByText('Forked from').waitFor();
    await page.getByText('at rest').first().waitFor();
    await page.getByRole('link', { name: 'compare both' }).click();
    const decision = page.getByRole('region', { name: 'Decision 1' });
    await decision.getByText('deny').first().waitFor();
    await decision.getByText('approve').first().waitFor();
    expect(server.llm.requests.map(({ body }) => body['model'])).toEqual(['gpt-4.1']);
  });

  it('says whether the new model would have decided the same: each point of an experiment beside the decision', async () => {
    const approves = toolCall('approve', { amount: 15, reason: 'Goodwill' });
    server.llm.enqueue(...Array.from({ length: POINTS }, () => approves));
    const { status } = await server.post('/v1/experiments', {
      name: 'The new model',
      points: { machineName: 'refunds', states: ['triage'] },
      variants: [{ name: 'new', specialistId: 'refund-clerk', modelId: 'gpt-4.1' }],
    });
    expect(status).toBe(201);
    await untilEvent(server.log, ({ type }) => type === 'ExperimentBatchEnded');
    await page.getByRole('navigation').getByRole('link', { name: 'Experiments' }).click();
    await page.getByRole('link', { name: 'The new model' }).click();
    await page.getByRole('table', { name: 'Verdicts' }).getByText('decides otherwise').waitFor();
    await page.getByRole('tab', { name: 'Points' }).click();
    const denied = page
      .getByRole('table', { name: 'Points' })
      .getByRole('row')
      .filter({ hasText: 'deny by' });
    await denied.getByText('new: approve').waitFor();
    await denied.getByText('otherwise').waitFor();
    await denied.getByText('eleven months ago').waitFor();
    await denied.getByRole('link').first().click();
    await page.getByText('I changed my mind, eleven months ago.', { exact: true }).waitFor();
  });

  it('names the person who approved the second call of a tool, in the run that called it', async () => {
    await openSession('Gwen');
    await page.getByRole('link', { name: /^planner/ }).click();
    const timeline = page.getByRole('treegrid', { name: 'Timeline' });
    await timeline.getByText(/tool find_order is called/).waitFor();
    await timeline.getByText(/waits for an approval of pay_back/).waitFor();
    await timeline.getByText(/approved by refund-lead/).waitFor();
    await timeline.getByText(/tool pay_back is called/).waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^[0-9a-f]{8}$/ })
      .click();
    await page.getByRole('heading', { name: /^Session / }).waitFor();
    await page.getByText('Two of the six cups are cracked.', { exact: true }).waitFor();
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
    await page.getByText(/by models and rules alone/).waitFor();
    await page.getByRole('region', { name: 'Latest sessions' }).getByText('Two of the six cups').click();
    await page.getByRole('heading', { name: /^Session / }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Waits for people' }).click();
    await first.getByText('overdue').waitFor();
  });
});
