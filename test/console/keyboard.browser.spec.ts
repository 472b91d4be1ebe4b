import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { downTheLadder, shopInBrowser } from './shop.js';
import { violationsOf } from './violations.js';

describe('keys and the dark mode of the console', () => {
  const shop = shopInBrowser([downTheLadder, downTheLadder]);
  let page: Page;

  beforeAll(async () => {
    page = await shop.browser.open(`${shop.server.url}/sessions`);
  });

  const selected = () => page.getByRole('table', { name: 'Sessions' }).getByRole('row', { selected: true });
  const idOfRow = async () => (await selected().getByRole('link').first().textContent()) ?? '';

  it('move over a list with j and k, open a row with Enter, and move over a timeline', async () => {
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await page.keyboard.press('j');
    const first = await idOfRow();
    await page.keyboard.press('j');
    expect(await idOfRow()).not.toBe(first);
    await page.keyboard.press('k');
    expect(await idOfRow()).toBe(first);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `Session ${first}` }).waitFor();
    await page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row').first().waitFor();
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('region', { name: 'Event' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Event' }).waitFor({ state: 'detached' });
  });

  it('close an event with Escape in the history too, and its button leaves the focus where it was opened', async () => {
    await page.goto(`${shop.server.url}/sessions/${shop.sessionIds[0]}?tab=history`);
    const region = page.getByRole('region', { name: 'Event' });
    const opened = page.getByRole('button', { name: 'ConsensusReached' });
    const close = page.getByRole('button', { name: 'Close the event' });
    await opened.press('Enter');
    await region.waitFor();
    await page.keyboard.press('Escape');
    await region.waitFor({ state: 'detached' });
    expect(await opened.evaluate((shown) => shown.matches(':focus'))).toBe(true);
    await opened.press('Enter');
    await close.press('Enter');
    await region.waitFor({ state: 'detached' });
    expect(await opened.evaluate((shown) => shown.matches(':focus'))).toBe(true);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const timeline = page.getByRole('treegrid', { name: 'Timeline' });
    for (const key of ['j', 'Enter']) await timeline.press(key);
    await close.press('Enter');
    await region.waitFor({ state: 'detached' });
    expect(await timeline.evaluate((shown) => shown.matches(':focus'))).toBe(true);
  });

  it('leave Enter to a summary, which it opens and closes', async () => {
    await page.goto(`${shop.server.url}/sessions/${shop.sessionIds[0]}`);
    await page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row').first().waitFor();
    const about = page.getByRole('group').filter({ hasText: 'About' });
    const isOpen = () => about.evaluate((details) => details.hasAttribute('open'));
    expect(await isOpen()).toBe(true);
    await about.locator('summary').press('Enter');
    expect(await isOpen()).toBe(false);
  });

  it('leave the focus in a filter and in the search when Enter takes their text', async () => {
    await page.goto(`${shop.server.url}/sessions`);
    const fields = [
      page.getByLabel('Machine', { exact: true }),
      page.getByRole('searchbox', { name: 'Search' }),
    ];
    for (const [index, field] of fields.entries()) {
      await field.fill(`abc${index}`);
      await field.press('Enter');
      await page.waitForURL(`**/sessions?*abc${index}*`);
      await page.getByText('No session fits these filters').waitFor();
      expect(await field.evaluate((shown) => shown.matches(':focus'))).toBe(true);
    }
    await page.goBack();
    await page.waitForURL('**/sessions?machineName=abc0');
    expect(await fields[1]?.inputValue()).toBe('');
  });

  it('begin with the link that skips the navigation, and go on in the page that a link in a list opens', async () => {
    await page.goto(`${shop.server.url}/sessions`);
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await page.keyboard.press('Tab');
    await page.locator('.skip:focus').waitFor();
    await page.getByRole('table', { name: 'Sessions' }).getByRole('link').first().press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
    await page.locator('main:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.locator('main :focus').waitFor();
  });

  it('are listed with ?, and turned off by a switch that is remembered', async () => {
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    const keys = dialog.getByRole('switch', { name: 'Keyboard shortcuts' });
    expect(await violationsOf(page)).toEqual([]);
    await keys.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${shop.server.url}/sessions`);
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await page.keyboard.press('j');
    expect(await selected().count()).toBe(0);
    await page.getByRole('button', { name: /Keys|Keyboard/ }).click();
    await keys.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await selected().waitFor();
  });

  it('has the mode of the system until one is chosen, and remembers that', async () => {
    const dark = page.getByRole('switch', { name: 'Dark mode' });
    expect(await dark.isChecked()).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('switch', { name: 'Dark mode', checked: true }).waitFor();
    await dark.click();
    await page.getByRole('switch', { name: 'Dark mode', checked: false }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await dark.click();
    await page.reload();
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    expect(await dark.isChecked()).toBe(true);
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toContain('dark');
    expect(shop.browser.complaints).toEqual([]);
  });
});
