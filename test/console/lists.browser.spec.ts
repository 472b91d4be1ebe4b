import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { approval } from '../support/approval.workflow.js';
import { clerk } from '../support/clerk.js';
import { downTheLadder, returns, shopInBrowser } from './shop.js';

describe('lists and the search', () => {
  const shop = shopInBrowser([downTheLadder], {
    options: { workflows: [approval] },
    environment: { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') },
  });
  const made: { session: string; run: string } = { session: '', run: '' };
  let page: Page;

  beforeAll(async () => {
    const { server } = shop;
    const tags = { customer: '42' };
    const session = { machineName: 'returns', key: 'case 4711', tags };
    made.session = (await server.post('/v1/sessions', session)).body.sessionId as string;
    const run = { workflow: 'approval', input: { item: 'cup' }, key: 'beef', tags, waitMs: 5_000 };
    made.run = (await server.post('/v1/runs', run)).body.runId as string;
    page = await shop.browser.open(`${server.url}/`);
  });

  const search = async (text: string) => {
    await page.getByRole('searchbox', { name: 'Search' }).fill(text);
    await page.keyboard.press('Enter');
  };
  const rowsOf = (name: string) => page.getByRole('table', { name }).getByRole('row');
  const address = () => page.url().slice(shop.server.url.length);
  /** The one row, with the heading. */
  const theOnlyRow = async (list: string, id: string) => {
    await rowsOf(list)
      .getByRole('link', { name: id.slice(0, 8) })
      .waitFor();
    await rowsOf(list).nth(2).waitFor({ state: 'detached' });
    expect(await rowsOf(list).count()).toBe(2);
  };

  it('find a session by its key, in an address that shows the same again', async () => {
    await search('case 4711');
    await theOnlyRow('Sessions', made.session);
    expect(address()).toBe('/sessions?key=case+4711');
    await page.reload();
    await theOnlyRow('Sessions', made.session);
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('case 4711');
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('case 4711');
  });

  it('find by the beginning of an id, of any list, and take hexadecimal keys for keys', async () => {
    await search(made.run.slice(0, 10).toUpperCase());
    await theOnlyRow('Runs', made.run);
    expect(address()).toBe(`/runs?idPrefix=${made.run.slice(0, 10)}`);
    await search('beef');
    // The row of the search before is the same.
    await page.waitForURL('**/runs?key=beef');
    await theOnlyRow('Runs', made.run);
  });

  it('find by a tag: in the list that is shown, else in one that has it', async () => {
    await search('customer:42');
    await theOnlyRow('Runs', made.run);
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    await rowsOf('Sessions').nth(2).waitFor();
    await search('customer:42');
    await theOnlyRow('Sessions', made.session);
    expect(address()).toBe('/sessions?tag=customer:42');
  });

  it('show keys and tags on the page of what has them, with links to all that have the same', async () => {
    await rowsOf('Sessions').nth(1).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
    await page.getByRole('link', { name: 'case 4711' }).waitFor();
    await page.getByRole('link', { name: '42', exact: true }).click();
    await theOnlyRow('Sessions', made.session);
  });

  it('say of what was erased that it was, as its page does', async () => {
    const { server } = shop;
    const session = { machineName: 'returns', subject: 'c-1', metaJson: { text: 'Elm Road 12' } };
    const { sessionId } = (await server.post('/v1/sessions', session)).body as { sessionId: string };
    expect((await server.post('/v1/subjects/c-1/erase')).status).toBe(200);
    await page.goto(`${server.url}/sessions`);
    await rowsOf('Sessions').getByText('content erased').click();
    await page.getByRole('heading', { name: `Session ${sessionId.slice(0, 8)}` }).waitFor();
    await page.getByText('content erased').waitFor();
  });

  it('say that nothing fits, and go on from there', async () => {
    await search('nowhere:at all');
    await page.getByText('No session fits these filters').waitFor();
    await search('');
    await rowsOf('Sessions').nth(2).waitFor();
    expect(address()).toBe('/sessions');
    expect(shop.browser.complaints).toEqual([]);
  });

  it('of conversations is not wider than a phone', async () => {
    const { server } = shop;
    expect((await server.post('/v1/agents', clerk)).status).toBe(201);
    expect((await server.post('/v1/conversations', { agentName: 'clerk' })).status).toBe(201);
    await page.goto(`${server.url}/conversations`);
    await rowsOf('Conversations').nth(1).waitFor();
    await page.setViewportSize({ width: 320, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it('are not wider than a phone or a desk with names of hundreds of characters and no space', async () => {
    const { server } = shop;
    const long = 'm'.repeat(120);
    const machine = {
      ...returns,
      machineName: long,
      initialState: long,
      states: { ...returns.states, [long]: returns.states.review },
    };
    expect((await server.post('/v1/machines', machine)).status).toBe(201);
    const { sessionId } = (await server.post('/v1/sessions', { machineName: long })).body;
    await server.post(`/v1/sessions/${String(sessionId)}/run`, {});
    for (const [list, name] of [
      ['tasks', 'Tasks'],
      ['machines', 'Machines'],
      ['sessions', 'Sessions'],
    ] as const) {
      await page.goto(`${server.url}/${list}`);
      await rowsOf(name).getByText(long).first().waitFor();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
  });
});
