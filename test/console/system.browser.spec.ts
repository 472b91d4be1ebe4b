import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { temporaryFolder } from '#lib/kernel/testing';
import { RedialServer } from '../support/redial-server.js';
import { obstacle, stumbling } from '../support/stumbling.workflow.js';
import { TestBrowser } from './browser.js';
import { violationsOf } from './violations.js';

describe('the page of the system', () => {
  let browser: TestBrowser;
  let server: RedialServer;
  let page: Page;

  beforeAll(async () => {
    obstacle.isThere = true;
    const REDIAL_SEAL_KEY = join(temporaryFolder(), 'seal.pem');
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(REDIAL_SEAL_KEY, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    server = await RedialServer.start({
      environment: { REDIAL_SEAL_KEY },
      options: { workflows: [stumbling] },
    });
    await server.post('/v1/runs', { workflow: 'stumbling', input: {} });
    await server.post('/v1/runs', { workflow: 'stumbling', input: {} });
    while ((await server.get('/v1/recovery')).body.items.length < 2);
    browser = await TestBrowser.start();
    page = await browser.open(`${server.url}/system`);
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
  });

  const rowsOf = (table: string): Locator => page.getByRole('table', { name: table }).locator('tbody tr');
  const pressIn = (row: Locator, name: string) => row.getByRole('button', { name }).click();

  it('says why work was set aside, in which run, and starts it again', async () => {
    const rows = rowsOf('Recovery');
    await rows.first().getByText('the price of the order is missing').waitFor();
    expect(await rows.count()).toBe(2);
    obstacle.isThere = false;
    const run = await rows.first().getByRole('link').getAttribute('href');
    await pressIn(rows.first(), 'Start again');
    await rows.nth(1).waitFor({ state: 'detached' });
    const { body } = await server.get(`/v1${run}`);
    expect(body.status).toBe('completed');
    obstacle.isThere = true;
  });

  it('gives work up only after it has asked', async () => {
    const [row] = await rowsOf('Recovery').all();
    if (row) await pressIn(row, 'Give up');
    const dialog = page.getByRole('dialog', { name: 'Give up this stumbling' });
    await dialog.getByText('It cannot be started again.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect((await server.get('/v1/recovery')).body.items).toHaveLength(1);
    await pressIn(dialog, 'Give up');
    await page.getByText('No work is set aside').waitFor();
  });

  it('seals the log, says that the seal is signed, and saves it for a check of the log', async () => {
    const region = page.getByRole('region', { name: 'Seals' });
    await region.getByText('The log has no seal yet').waitFor();
    await pressIn(region, 'Seal now');
    await region.getByText('signed', { exact: true }).waitFor();
    const { body } = await server.get('/v1/seals/latest');
    await region.getByText(body.root as string).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), pressIn(region, 'Save seal')]);
    expect(download.suggestedFilename()).toBe('seal-0.json');
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(body);
  });

  it('has the place of each projection', async () => {
    const row = rowsOf('Projections').filter({ hasText: 'sessions' }).first();
    await row.getByText('live').waitFor();
    await page.getByText('All have followed the log').waitFor();
  });

  it('says which event a projection fails on', async () => {
    const one = { name: 'notes', version: 1, position: 'log.0007', headPosition: 'log.0012', lag: 5 };
    const error = { message: 'no such column', stream: 'redial_session-1', revision: 3, type: 'NoteTaken' };
    const items = [{ ...one, status: 'stopped', error }];
    await page.route('**/v1/projections', (route) => route.fulfill({ json: { items } }));
    await page.reload();
    const row = rowsOf('Projections').first();
    await row.getByText('no such column').waitFor();
    await row.getByText('at revision 3 of redial_session-1').waitFor();
    await page.getByText('1 projection not live, 1 with an error. The log ends at place 12.').waitFor();
    await page.unroute('**/v1/projections');
  });

  it('adds a person, whose token it shows once, and says at the field what is refused', async () => {
    await page.getByRole('button', { name: 'Add person' }).click();
    const form = page.getByRole('dialog', { name: 'Add person' });
    await form.getByLabel('Id').fill('not an id');
    await pressIn(form, 'Add');
    await form.locator('[aria-invalid=true]').waitFor();
    await form.getByLabel('Id').fill('ann');
    await form.getByLabel('Groups').fill('buyers, leads');
    await pressIn(form, 'Add');
    const dialog = page.getByRole('dialog', { name: 'Token of ann' });
    const token = await dialog.locator('code').textContent();
    await pressIn(dialog, 'Done');
    const principal = await server.get('/v1/principal', { authorization: `Bearer ${token}` });
    expect(principal.body).toMatchObject({ personId: 'ann', role: 'reviewer' });
    const [row] = await rowsOf('People').all();
    expect(await row?.textContent()).toContain('buyers, leads');
  });

  it('replaces a token and groups, and deletes a person', async () => {
    const row = rowsOf('People').first();
    await pressIn(row, 'New token');
    await pressIn(page.getByRole('dialog', { name: 'New token for ann' }), 'New token');
    await pressIn(page.getByRole('dialog', { name: 'Token of ann' }), 'Done');
    await pressIn(row, 'Groups');
    const groups = page.getByRole('dialog', { name: 'Groups of ann' });
    await groups.getByLabel('Groups').fill('leads');
    await pressIn(groups, 'Save');
    await row.getByText('leads', { exact: true }).waitFor();
    await pressIn(row, 'Delete');
    await pressIn(page.getByRole('dialog', { name: 'Delete ann' }), 'Delete');
    await page.getByText('No people are registered').waitFor();
    expect(browser.complaints).toEqual([]);
  });
});

describe('the page of the system, for people who are no operators', () => {
  it('offers nothing that they may not do', async () => {
    const token = { REDIAL_API_TOKEN: 'the-token' };
    const server = await RedialServer.start({ environment: token });
    const browser = await TestBrowser.start();
    const asOperator = { authorization: 'Bearer the-token' };
    const ann = await server.post('/v1/people', { personId: 'ann', role: 'reviewer' }, asOperator);
    await server.post('/v1/seals', {}, asOperator);
    const page = await browser.open(`${server.url}/system`);
    await page.getByLabel('Token').fill(ann.body.token as string);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('table', { name: 'People' }).getByText('ann').waitFor();
    await page.getByText('not signed').waitFor();
    for (const name of ['Add person', 'New token', 'Delete', 'Seal now'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await browser.stop();
    await server.stop();
  });
});
