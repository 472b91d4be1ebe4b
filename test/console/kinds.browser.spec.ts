import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type LlmScript, text } from '#lib/activities/testing';
import { clerk } from '../support/clerk.js';
import { approval } from '../support/approval.workflow.js';
import { faultsOf, windows } from './looks.js';
import { shopInBrowser } from './shop.js';
import { violationsOf } from './violations.js';

interface Body {
  readonly model: string;
  readonly response_format?: { readonly json_schema: { readonly name: string } };
}

/** Every turn goes to the one flow, finds nothing in the message, and says which model answers. */
const script: LlmScript = ({ body }) => {
  const { model, response_format: format } = body as unknown as Body;
  if (format?.json_schema.name === 'route') return text({ intent: 'to book', scores: { booking: 90 } });
  return text(format?.json_schema.name === 'extract' ? {} : { message: `${model} speaks.` });
};

describe('forks of runs and conversations, beside what they were forked from', () => {
  const shop = shopInBrowser([], { script, options: { workflows: [approval] } });
  let page: Page;
  const paths: string[] = [];
  const compared: string[] = [];

  beforeAll(async () => {
    page = await shop.browser.open(`${shop.server.url}/`);
  });

  const openedFork = async (list: string, parentId: string) => {
    await page.waitForURL((url) => url.pathname.startsWith(`/${list}/`) && !url.pathname.includes(parentId));
    await page.getByText('Forked from').waitFor();
    return new URL(page.url()).pathname.split('/').at(-1) ?? '';
  };
  const partOf = (name: string) => page.getByRole('region', { name, exact: true });

  it('go on from a revision of a run, with another input, and are compared step by step', async () => {
    const { server } = shop;
    const run = { workflow: 'approval', input: { item: 'cup' }, waitMs: 5_000 };
    const { runId } = (await server.post('/v1/runs', run)).body as { runId: string };
    const signal = { payload: { approved: true } };
    expect((await server.post(`/v1/runs/${runId}/signals/approval`, signal)).status).toBe(200);
    await page.goto(`${server.url}/runs/${runId}?at=1`);
    await page.getByRole('button', { name: 'Fork with changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fork after revision 1' });
    await dialog.getByLabel('Input').fill('{ "item": "plate" }');
    await dialog.getByLabel('Reason').fill('a plate?');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    const forkId = await openedFork('runs', runId);
    await page.getByText('after revision 1 by').waitFor();
    await page.getByRole('link', { name: 'compare both' }).click();
    await page.getByRole('heading', { level: 1, name: 'Compare runs' }).waitFor();
    const command = await page.getByRole('button', { name: 'Copy as command' }).getAttribute('title');
    for (const id of [runId, forkId]) expect(command).toContain(`runs events ${id}`);
    // Both sides, and the differences once they have loaded.
    await partOf('Input').locator('.compared-cell.b').getByText('plate').waitFor();
    await partOf('Result').getByText('None').waitFor();
    paths.push(`/runs/${runId}`);
    compared.push(`/compare?a=${runId}`, `/compare?a=${runId}&b=${forkId}`);
    await page.goto(`${server.url}/runs?forkedFrom=${runId}`);
    await page
      .getByRole('table', { name: 'Runs' })
      .getByRole('link', { name: forkId.slice(0, 8) })
      .waitFor();
  });

  it('go on after a turn of a conversation, with another model, and are compared turn by turn', async () => {
    const { server } = shop;
    await server.post('/v1/agents', clerk);
    const begun = await server.post('/v1/conversations', { agentName: 'clerk' });
    const { conversationId } = begun.body as { conversationId: string };
    const say = async (id: string, message: string) => {
      expect((await server.post(`/v1/conversations/${id}/messages`, { text: message })).status).toBe(200);
    };
    await say(conversationId, 'Hello');
    await say(conversationId, 'Who are you?');
    await page.goto(`${server.url}/conversations/${conversationId}`);
    await page.getByRole('button', { name: 'Fork with changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fork after turn 2' });
    await dialog.getByLabel('After turn').selectOption('1');
    await dialog.getByLabel('Model').fill('gpt-4.1');
    await dialog.getByLabel('Its parameters').fill('{ "temperature": "hot" }');
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    await dialog.locator('textarea[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Its parameters').fill('{ "temperature": 1 }');
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    const forkId = await openedFork('conversations', conversationId);
    await page.getByText('after turn 1 by').waitFor();
    await say(forkId, 'Who are you?');
    await page.goto(`${server.url}/conversations/${conversationId}`);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: forkId.slice(0, 8) }).click();
    await page.getByRole('heading', { level: 1, name: 'Compare conversations' }).waitFor();
    await page.getByText('1 of 3 parts differ').waitFor();
    await partOf('Turn 2').getByText('gpt-4.1 speaks.').first().waitFor();
    await page.getByText('Differences, member by member').click();
    await partOf('Turn 2').getByText('/assistant').waitFor();
    paths.push(`/conversations/${conversationId}`);
    compared.push(`/compare?a=${conversationId}&b=${forkId}`);
  });

  it('have a diagram of causes, whose events lead to the timeline', async () => {
    for (const path of paths) {
      await page.goto(`${shop.server.url}${path}?tab=diagram`);
      const diagram = page.getByRole('group', { name: 'Diagram of causes' });
      await diagram.getByRole('link').first().click();
      await page.getByRole('region', { name: 'Event' }).waitFor();
      await page.getByRole('treegrid', { name: 'Timeline' }).waitFor();
    }
  });

  it.each(windows)('have pages without a violation that axe finds in either theme: %s', async (window) => {
    const all = [...paths.flatMap((path) => [path, `${path}?tab=diagram`]), ...compared];
    expect(await faultsOf(shop, window, all)).toEqual([]);
  });

  it('say that an id is unknown, or of another kind', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    await page.goto(`${shop.server.url}/compare?a=${unknown}&b=${unknown}`);
    await page.getByRole('alert').getByText(unknown).waitFor();
    expect(shop.browser.complaints).toEqual([]);
  });
});
