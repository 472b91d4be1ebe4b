import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { houseRule, lenders, loans } from '../support/loans.js';
import { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';
import { taskOf } from './shop.js';
import { violationsOf } from './violations.js';

describe('the thresholds on the page of a machine', () => {
  let browser: TestBrowser;
  let server: RedialServer;
  let page: Page;

  /** Two loans that the boss decides, and one that the engine decides by what it learnt of them. */
  beforeAll(async () => {
    server = await RedialServer.start({ options: { strategies: lenders } });
    await server.post('/v1/machines', loans);
    for (const amount of [50, 200, 300]) {
      const { body } = await server.post('/v1/sessions', { machineName: 'loans', metaJson: { amount } });
      const { sessionId } = body as { sessionId: string };
      const run = await server.post(`/v1/sessions/${sessionId}/run`);
      if (run.body.status !== 'needs_human') continue;
      const { taskId, digest } = await taskOf(server, sessionId);
      const transitionName = houseRule(amount);
      const answer = { choice: 'transition', digest, transitionName, actAs: 'boss' };
      expect((await server.post(`/v1/tasks/${taskId}/answer`, answer)).status).toBe(200);
    }
    browser = await TestBrowser.start();
    page = await browser.open(`${server.url}/machines/loans?tab=trust`);
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
  });

  const changed = () => page.getByRole('table', { name: 'Rounds that change' }).locator('tbody tr');

  it('stand as they are defined until somebody moves one', async () => {
    const slider = page.getByRole('slider', { name: 'Consensus threshold' });
    await slider.waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toBe('as defined');
    expect(await page.getByRole('button', { name: 'As defined' }).count()).toBe(0);
  });

  it('say how many recorded rounds would go to people, and which, under the address of the slider', async () => {
    await page.getByRole('slider', { name: 'Consensus threshold' }).fill('0.6');
    await page.getByText('Of 3 rounds:').waitFor();
    await page.getByText('would go to people (33 %)').waitFor();
    await page.getByText('decided the same (67 %)').waitFor();
    const row = await changed().first().textContent();
    expect(row).toContain('reject by judge');
    expect(row).toContain('people: no-consensus');
    expect(new URL(page.url()).searchParams.get('consensusThreshold')).toBe('0.6');
    expect(await violationsOf(page)).toEqual([]);
    await changed().first().getByRole('link').click();
    await page.getByRole('treegrid', { name: 'Timeline' }).waitFor();
    await page.goBack();
    await page.getByText('Of 3 rounds:').waitFor();
  });

  it('say that every round stays the same, and go back to what is defined', async () => {
    await page.getByRole('slider', { name: 'Consensus threshold' }).fill('0.3');
    await page.getByText('Every round is decided the same').waitFor();
    await page.getByRole('button', { name: 'As defined' }).click();
    await page.getByText('Of 3 rounds:').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('consensusThreshold')).toBeNull();
  });

  it('stand as they are defined if the address has no number from 0 to 1', async () => {
    await page.goto(`${server.url}/machines/loans?tab=trust&consensusThreshold=abc&minAlignment=7`);
    for (const name of ['Consensus threshold', 'Alignment to be trusted']) {
      const slider = page.getByRole('slider', { name });
      await slider.waitFor();
      expect(await slider.getAttribute('aria-valuetext')).toBe('as defined');
    }
  });

  it('ask the server once for a slider that is moved along, and not again when the log moves', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/simulations')) asked.push(request.postData() ?? '');
    });
    const slider = page.getByRole('slider', { name: 'Alignment to be trusted' });
    // In one turn of the page: on a busy machine a pause between two moves may be as long as one after the last.
    await slider.evaluate((element) => {
      for (const value of ['0.6', '0.7', '0.8', '0.9']) {
        // By the setter of the prototype, so that React sees a change.
        Reflect.set(Object.getPrototypeOf(element) as object, 'value', value, element);
        element.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await page.getByText('Of 3 rounds:').waitFor();
    expect(asked.map((body) => JSON.parse(body))).toEqual([{ trust: { minAlignment: 0.9 }, limit: 500 }]);
    const moved = page.waitForResponse((response) => response.url().endsWith('/metrics'));
    await server.post('/v1/sessions', { machineName: 'loans', metaJson: { amount: 1 } });
    await moved;
    expect(asked).toHaveLength(1);
  });

  it('read the rounds beyond the first 500 when somebody asks for them', async () => {
    const simulated = { rounds: 500, same: 499, different: 1, toPeople: 0, fromPeople: 0, items: [] };
    await page.route('**/simulations', (route) => {
      const { cursor } = route.request().postDataJSON() as { cursor?: string };
      return route.fulfill({ json: { ...simulated, nextCursor: cursor === undefined ? 'next' : null } });
    });
    await page.goto(`${server.url}/machines/loans?tab=trust&consensusThreshold=0.5`);
    await page.getByRole('button', { name: 'Simulate 500 more' }).click();
    await page.getByText('Of 1\u202F000 rounds:').waitFor();
    expect(await page.getByRole('button', { name: 'Simulate 500 more' }).count()).toBe(0);
    expect(browser.complaints).toEqual([]);
  });
});
