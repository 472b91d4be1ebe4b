import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { downTheLadder, proposesRefund, shopInBrowser } from './shop.js';

describe('forks in the console', () => {
  const shop = shopInBrowser([downTheLadder, proposesRefund]);
  const forkOn = async (page: Page, parentId: string) => {
    await page.waitForURL(
      (url) => /^\/sessions\/[\w-]{36}$/.test(url.pathname) && !url.href.includes(parentId),
    );
    const { body } = await shop.server.get(`/v1${new URL(page.url()).pathname}`);
    return body as { forkedFrom: object; metaJson: object; machine: object };
  };

  it('begin after the revision that is shown, open their page, and lead back to what they were forked from', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(`${shop.server.url}/sessions/${sessionId}?at=0`);
    await page.getByRole('button', { name: 'Fork from here' }).click();
    expect(await forkOn(page, sessionId)).toMatchObject({ forkedFrom: { sessionId, revision: 0 } });
    await page.getByText('after revision 0 by').waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: sessionId.slice(0, 8) })
      .click();
    await page.waitForURL(`**/sessions/${sessionId}?at=0`);
    await page.goto(`${shop.server.url}/sessions?forkedFrom=${sessionId}`);
    await page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(1).waitFor();
  });

  it('take another model, another case and a reason; a revision inside a command is refused with those beside it', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const { body } = await shop.server.get(`/v1/sessions/${sessionId}/events`);
    const events = body as { items: { type: string; stream: string; revision: number }[] };
    const inside = events.items.find(({ type }) => type === 'ConsensusReached');
    const page = await shop.browser.open(
      `${shop.server.url}/sessions/${sessionId}?event=${inside?.stream}@${inside?.revision}`,
    );
    await page.getByRole('button', { name: 'Fork from here' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fork after revision' });
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Begin after revision' }).first().click();
    await dialog.getByLabel('Model of clerk').fill('gpt-4.1');
    await dialog.getByLabel('Case').fill('{ "text": "Another cup" }');
    await dialog.getByLabel('Reason').fill('a try');
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    expect(await forkOn(page, sessionId)).toMatchObject({
      forkedFrom: { sessionId, reason: 'a try' },
      metaJson: { text: 'Another cup' },
    });
  });

  it('are not offered where the API refuses them: of a run that the engine asks for by itself', async () => {
    const { body } = await shop.server.get('/v1/runs?workflow=solicitation&limit=1');
    const { runId = '' } = (body as { items: { runId: string }[] }).items[0] ?? {};
    const run = (await shop.server.get(`/v1/runs/${runId}`)).body as {
      isInternal: boolean;
      revision: number;
    };
    expect(run.isInternal).toBe(true);
    const forked = await shop.server.post(`/v1/runs/${runId}/forks`, { atRevision: run.revision });
    expect(forked.body).toMatchObject({ code: 'internal-run' });
    const page = await shop.browser.open(`${shop.server.url}/runs/${runId}`);
    await page.getByRole('button', { name: 'Compare' }).waitFor();
    expect(await page.getByRole('button', { name: /^Fork/ }).count()).toBe(0);
  });

  it('complain about nothing, and ask no other host', () => {
    expect(shop.browser.complaints).toEqual([]);
  });
});
