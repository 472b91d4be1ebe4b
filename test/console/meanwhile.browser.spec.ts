import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { proposesRefund, shopInBrowser } from './shop.js';

describe('a page of the console, while the server works or the history goes on', () => {
  const shop = shopInBrowser([proposesRefund, proposesRefund]);

  it('moves the slider of time from where it was put, also before the server has answered', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(`${shop.server.url}/sessions/${sessionId}`);
    const answers = new EventEmitter();
    const held = once(answers, 'go');
    await page.route(`**/v1/sessions/${sessionId}?*at=*`, async (route) => {
      await held;
      await route.continue();
    });
    const slider = page.getByRole('slider', { name: 'Time' });
    await slider.focus();
    const last = Number(await slider.inputValue());
    for (const back of [1, 2, 3]) {
      await slider.press('ArrowLeft');
      await page.waitForURL(`**/sessions/${sessionId}?at=${last - back}`);
    }
    answers.emit('go');
    await page.getByText(`after revision ${last - 3} of ${last}`).waitFor();
  });

  it('keeps the slider at the time of the address if the server refuses it', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(`${shop.server.url}/sessions/${sessionId}?at=99`);
    await page.getByRole('alert').waitFor();
    await page.getByText(/^after revision 99 of/).waitFor();
  });

  it('keeps the form of a fork, and the revision that it is about, when the session goes on', async () => {
    const sessionId = shop.sessionIds[1] ?? '';
    const page = await shop.browser.open(`${shop.server.url}/sessions/${sessionId}`);
    await page.getByRole('button', { name: 'Fork with changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fork after revision' });
    const revision = await dialog.getByLabel('After revision').inputValue();
    await dialog.getByLabel('Reason').fill('Only typed yet');
    await shop.server.post(`/v1/sessions/${sessionId}/close`, { reason: 'By another person' });
    await page.getByText('closed', { exact: true }).first().waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Only typed yet');
    expect(await dialog.getByLabel('After revision').inputValue()).toBe(revision);
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.getByText(`after revision ${revision} by`).waitFor();
  });

  it('complains about nothing, and asks no other host', () => {
    expect(shop.browser.complaints).toEqual([]);
  });
});
