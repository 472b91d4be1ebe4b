import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { text } from '#lib/activities/testing';
import { proposesRefund, shopInBrowser } from './shop.js';
import { violationsOf } from './violations.js';

describe('a try of a call', () => {
  const shop = shopInBrowser([proposesRefund]);
  let page: Page;
  let callId: string;

  beforeAll(async () => {
    const { body } = await shop.server.get('/v1/llm-calls');
    callId = (body as { items: { callId: string }[] }).items.at(-1)?.callId ?? '';
    page = await shop.browser.open(`${shop.server.url}/calls/${callId}`);
  });

  it('asks another model the recorded request, and shows its reply beside the recorded one', async () => {
    await page.getByRole('region', { name: 'Reply', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Try with another model' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try with another model' });
    await dialog.getByLabel('Model').fill('other-1');
    expect(await violationsOf(page)).toEqual([]);
    shop.server.llm.enqueue(text('I would rather not.'));
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    const reply = page.getByRole('region', { name: 'Reply of other-1' });
    await reply.getByText('I would rather not.').waitFor();
    await page.getByRole('region', { name: 'Reply', exact: true }).getByText('refund').first().waitFor();
    expect(shop.server.llm.requests.at(-1)?.body).toMatchObject({ model: 'other-1' });
    expect(await violationsOf(page)).toEqual([]);
  });

  it('has an address, and leads to its own call', async () => {
    await page.reload();
    await page.getByRole('region', { name: 'Reply of other-1' }).waitFor();
    await page.getByText('A try changes nothing and counts nowhere').getByRole('link').click();
    await page.getByText('I would rather not.').first().waitFor();
    expect(new URL(page.url()).pathname).not.toBe(`/calls/${callId}`);
  });

  it('needs the name of a model', async () => {
    await page.goto(`${shop.server.url}/calls/${callId}`);
    await page.getByRole('button', { name: 'Try with another model' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try with another model' });
    await dialog.getByLabel('Model').fill('');
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
  });
});
