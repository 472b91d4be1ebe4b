import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { downTheLadder, shopInBrowser, taskOf } from './shop.js';

describe('trust in models over time', () => {
  const shop = shopInBrowser([downTheLadder, downTheLadder]);
  let page: Page;

  beforeAll(async () => {
    const { server, sessionIds } = shop;
    const [sessionId = ''] = sessionIds;
    const { taskId, digest } = await taskOf(server, sessionId);
    const answer = { choice: 'transition', digest, transitionName: 'close', actAs: 'lead' };
    const answered = await server.post(`/v1/tasks/${taskId}/answer`, answer);
    expect(answered.status).toBe(200);
    page = await shop.browser.open(`${server.url}/`);
  });

  it('counts the decisions of today by who made them', async () => {
    const tile = page.getByRole('link', { name: 'Decisions today' });
    await tile.getByText('1 by people, 0 by agreement, 2 by models and rules alone').waitFor();
    await tile.click();
    await page.getByRole('link', { name: 'returns' }).click();
    await page.getByRole('tab', { name: 'Trust' }).click();
  });

  it('shows for each state the numbers and shares of each day', async () => {
    const region = page.getByRole('region', { name: 'Over time' });
    await region.getByText('a column is 1 day').waitFor();
    for (const [state, numbers] of [
      ['review', ['1 (100 %)', '0 (0 %)', '0 (0 %)']],
      ['triage', ['0 (0 %)', '0 (0 %)', '2 (100 %)']],
    ] as const) {
      await region.getByText(`Numbers of ${state}`).click();
      const [today] = await region
        .getByRole('table', { name: `Decisions in ${state} over time` })
        .locator('tbody tr')
        .all();
      expect(await today?.locator('td').allTextContents()).toEqual([
        new Date().toISOString().slice(0, 10),
        ...numbers,
      ]);
    }
  });

  it('shows a year in periods of four weeks, and keeps to the width of a phone', async () => {
    const day = (n: number) => new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10);
    const items = Array.from({ length: 365 }, (_, n) => ({
      day: day(n),
      machineName: 'returns',
      state: 'triage',
      humanDecisions: 365 - n,
      agreedDecisions: 20,
      aiDecisions: n,
      operatorDecisions: 0,
      timerDecisions: 0,
    }));
    await page.route('**/v1/decision-days?*', (route) => route.fulfill({ json: { items } }));
    await page.setViewportSize({ width: 375, height: 740 });
    await page.goto(`${shop.server.url}/machines/returns?tab=trust`);
    const region = page.getByRole('region', { name: 'Over time' });
    await region.getByText('a column is 28 days').waitFor();
    expect(await region.locator('.column').count()).toBe(14);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(shop.browser.complaints).toEqual([]);
  });
});
