import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { reply, ScriptedWebhookServer } from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';
import { orders } from '../support/reacting.js';
import { TestBrowser } from './browser.js';
import { violationsOf } from './violations.js';

const tokens = { BOOKING_HOOK_TOKEN: `whsec_${randomBytes(24).toString('base64')}` };

describe('hooks and reactions on the page of the system', () => {
  let browser: TestBrowser;
  let server: RedialServer;
  let receiver: ScriptedWebhookServer;
  let page: Page;

  beforeAll(async () => {
    receiver = await ScriptedWebhookServer.start(() => reply({ status: 204 }));
    server = await RedialServer.start({ options: { webhooks: { privateAddresses: 'allow', tokens } } });
    browser = await TestBrowser.start();
    page = await browser.open(`${server.url}/system`);
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
    await receiver.close();
  });

  const rowsOf = (table: string): Locator => page.getByRole('table', { name: table }).locator('tbody tr');
  const pressIn = (place: Locator, name: string) => place.getByRole('button', { name, exact: true }).click();

  it('adds a hook, and says at the field what is refused', async () => {
    await page.getByText('No hooks yet').waitFor();
    await page.getByRole('button', { name: 'Add hook' }).click();
    const form = page.getByRole('dialog', { name: 'Add hook' });
    await form.getByLabel('Id').fill('booking');
    await form.getByLabel('Address').fill(receiver.url);
    await form.getByLabel('Types').fill('session.created, something');
    await form.getByLabel('Variable of the secret').fill('BOOKING_HOOK_TOKEN');
    await pressIn(form, 'Add');
    await form.locator('[aria-invalid=true]').waitFor();
    await form.getByLabel('Types').fill('session.created, round.decided');
    await pressIn(form, 'Add');
    const row = rowsOf('Hooks').first();
    await row.getByText('session.created, round.decided').waitFor();
    await row.getByText('enabled', { exact: true }).waitFor();
  });

  it('calls a hook as a test, and says what was answered', async () => {
    await pressIn(rowsOf('Hooks').first(), 'Test');
    await page.getByRole('status').filter({ hasText: 'answered 204' }).waitFor();
    expect(receiver.requests.map(({ body }) => body)).toMatchObject([{ type: 'hook.test' }]);
  });

  it('shows what was delivered', async () => {
    await server.post('/v1/machines', orders);
    await server.post('/v1/sessions', { machineName: 'orders' });
    while ((await server.get('/v1/hooks/booking/deliveries?status=delivered')).body.items.length === 0);
    await pressIn(rowsOf('Hooks').first(), 'Deliveries');
    const delivery = rowsOf('Deliveries').first();
    await delivery.getByText('session.created').waitFor();
    await delivery.getByText('delivered', { exact: true }).waitFor();
    await rowsOf('Reactions').first().getByText('hook-booking').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('tries parked deliveries again, and drops them', async () => {
    const deliveryId = '00000000-0000-4000-8000-000000000001';
    const attempts = [{ at: '2026-01-01T00:00:00.000Z', status: 500, error: 'answered 500' }];
    const parked = { deliveryId, type: 'TransitionExecuted', stream: 'session-1', revision: 4, attempts };
    const reaction = { name: 'hook-booking', position: null, lag: 0, parked: 1 };
    const asked: string[] = [];
    await page.route('**/v1/reactions**', (route) => route.fulfill({ json: onePage([reaction]) }));
    await page.route('**/v1/reactions/*/parked**', (route) =>
      route.fulfill({ json: onePage([{ ...parked, parkedAt: attempts[0]?.at }]) }),
    );
    await page.route('**/v1/reactions/*/parked/*/*', (route) => {
      asked.push(new URL(route.request().url()).pathname);
      return route.fulfill({ json: reaction });
    });
    await page.reload();
    await page.getByRole('button', { name: '1 parked' }).click();
    const row = rowsOf('Parked').first();
    await row.getByText('answered 500').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await pressIn(row, 'Try again');
    await pressIn(row, 'Drop');
    await pressIn(page.getByRole('dialog', { name: 'Drop this delivery' }), 'Drop');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const path = `/v1/reactions/hook-booking/parked/${deliveryId}`;
    expect(asked).toEqual([`${path}/retry`, `${path}/drop`]);
    await page.unrouteAll();
  });

  it('disables a hook, and deletes it after it has asked', async () => {
    await page.reload();
    const row = rowsOf('Hooks').first();
    await pressIn(row, 'Disable');
    await row.getByText('disabled', { exact: true }).waitFor();
    await pressIn(row, 'Deliveries');
    await rowsOf('Deliveries').first().waitFor();
    await pressIn(row, 'Delete');
    await pressIn(page.getByRole('dialog', { name: 'Delete booking' }), 'Delete');
    await page.getByText('No hooks yet').waitFor();
    await rowsOf('Deliveries').first().waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(browser.complaints).toEqual([]);
  });
});

function onePage(items: readonly object[]) {
  return { items, nextCursor: null };
}
