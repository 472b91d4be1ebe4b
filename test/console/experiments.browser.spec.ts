import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type LlmScript, text } from '#lib/activities/testing';
import { houseRule, lenders, loans } from '../support/loans.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';
import { TestBrowser } from './browser.js';
import { violationsOf } from './violations.js';

const AMOUNTS = [10, 11, 500, 501];

/** Approves everything. */
const script: LlmScript = () => text({ transitionName: 'approve', toState: 'closed', reasoning: 'why not' });

describe('the pages of experiments', () => {
  let browser: TestBrowser;
  let server: RedialServer;
  let page: Page;
  let experimentId: string;

  /** The boss decides four loans; a model that approves all is asked about them. */
  beforeAll(async () => {
    server = await RedialServer.start({ options: { strategies: lenders }, script });
    const { actorTokens } = (await server.post('/v1/machines', loans)).body as {
      actorTokens: { boss: string };
    };
    for (const amount of AMOUNTS) {
      const { body } = await server.post('/v1/sessions', { machineName: 'loans', metaJson: { amount } });
      const { sessionId } = body as { sessionId: string };
      const forced = { specialistId: 'boss', transitionName: houseRule(amount) };
      const headers = { 'redial-actor-token': actorTokens.boss };
      expect((await server.post(`/v1/sessions/${sessionId}/arbitrations`, forced, headers)).status).toBe(200);
    }
    const model = { modelId: 'gpt-4o-mini', contextTemplate: 'Amount: {{metaJson.amount}}.' };
    const apprentice = { role: 'proposer', specialistId: 'apprentice', machineName: 'loans', ...model };
    expect((await server.post('/v1/specialists', apprentice)).status).toBe(201);
    experimentId = await experiment({ name: 'As it is' });
    browser = await TestBrowser.start();
    page = await browser.open(`${server.url}/`);
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
  });

  async function experiment(over: object): Promise<string> {
    const variants = [{ name: 'generous', specialistId: 'apprentice' }];
    const asked = { points: { machineName: 'loans' }, variants, ...over };
    const { status, body } = await server.post('/v1/experiments', asked);
    expect(status).toBe(201);
    await untilEvent(server.log, ({ type }) => type === 'ExperimentBatchEnded');
    return (body as { experimentId: string }).experimentId;
  }

  const rows = (name: string) => page.getByRole('table', { name }).locator('tbody tr');

  it('list experiments, and lead from the navigation to one of them', async () => {
    await page.getByRole('link', { name: 'Experiments' }).click();
    expect(await rows('Experiments').first().textContent()).toContain('As it iscompletedloansgenerous4');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'As it is' }).click();
    await page.getByRole('heading', { name: 'As it is', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/experiments/${experimentId}`);
  });

  it('say whether a variant decides the same, and how often it agrees with people', async () => {
    const verdict = await rows('Verdicts').first().textContent();
    expect(verdict).toContain('generousthe recorded decisions');
    const variant = await rows('Variants').first().textContent();
    expect(variant).toContain('2 of 4, 50 %');
    expect(await violationsOf(page)).toEqual([]);
  });

  it('show each point with the decision and the answer, and lead to the call', async () => {
    await page.getByRole('tab', { name: 'Points' }).click();
    await rows('Points').nth(3).waitFor();
    await page.getByLabel('Compared').selectOption('negative');
    await rows('Points').nth(2).waitFor({ state: 'detached' });
    const row = rows('Points').first();
    expect(await row.textContent()).toContain('reject by boss (a person)generous: approve');
    expect(await violationsOf(page)).toEqual([]);
    await row.getByRole('link', { name: 'approve' }).click();
    await page.getByRole('region', { name: 'Reply' }).waitFor();
    await page.goBack();
    await rows('Points').first().waitFor();
    expect(new URL(page.url()).searchParams.get('flip')).toBe('negative');
  });

  it('offer larger limits where an experiment was stopped, and show the rest then', async () => {
    const stopped = await experiment({ maxCalls: 1 });
    await page.goto(`${server.url}/experiments/${stopped}`);
    await page.getByText('Stopped by its limit of calls').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByLabel('Calls in all').fill('10');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByText('4 of 4').first().waitFor();
    expect(await page.getByRole('button', { name: 'Cancel experiment' }).count()).toBe(0);
  });

  it('say that there is none of an unknown id, and keep to the width of a phone', async () => {
    await page.goto(`${server.url}/experiments/00000000-0000-4000-8000-000000000000`);
    await page.getByRole('link', { name: 'All experiments' }).waitFor();
    await page.setViewportSize({ width: 375, height: 740 });
    for (const tab of ['', '?tab=points']) {
      await page.goto(`${server.url}/experiments/${experimentId}${tab}`);
      await page.getByRole('table').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await violationsOf(page)).toEqual([]);
    }
  });
});
