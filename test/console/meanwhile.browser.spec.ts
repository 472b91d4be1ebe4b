import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { proposesRefund, shopInBrowser, taskOf } from './shop.js';

describe('a page of the console, while the server works or the history goes on', () => {
  const shop = shopInBrowser([proposesRefund, proposesRefund, proposesRefund]);

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

  it('keeps the choice and the reason of a person for a task that another person claims and gives back', async () => {
    const { taskId } = await taskOf(shop.server, shop.sessionIds[2] ?? '');
    const page = await shop.browser.open(`${shop.server.url}/tasks/${taskId}`);
    await page.getByRole('radio', { name: 'escalate' }).check();
    await page.getByLabel('Reason').fill('Only typed yet');
    await shop.server.post(`/v1/tasks/${taskId}/claim`, { actAs: 'bob' });
    await page.getByText('bob has claimed this task.').waitFor();
    expect(await page.getByRole('button', { name: /Accept|Answer/ }).count()).toBe(0);
    expect(await page.getByRole('radio').count()).toBe(0);
    await shop.server.post(`/v1/tasks/${taskId}/release`, { actAs: 'bob' });
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    expect(await page.getByRole('radio', { name: 'escalate' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Reason').inputValue()).toBe('Only typed yet');
  });

  it('says how long ago a change was by the time of now, also after a page that says no times', async () => {
    const page = await shop.browser.open(`${shop.server.url}/sessions`);
    await page.clock.install();
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await page.getByRole('link', { name: 'Machines' }).click();
    await page.getByRole('table', { name: 'Machines' }).waitFor();
    await page.clock.fastForward('20:00');
    await page.getByRole('link', { name: 'Sessions' }).click();
    const row = page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(1);
    await row.waitFor();
    expect(await row.textContent()).toContain('20 min ago');
  });

  it('complains about nothing, and asks no other host', () => {
    expect(shop.browser.complaints).toEqual([]);
  });
});
