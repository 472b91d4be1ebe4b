import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';
import { openShop, proposesRefund, taskOf } from './shop.js';

describe('tasks in the console', () => {
  let server: RedialServer;
  let browser: TestBrowser;
  let sessionIds: readonly string[];

  beforeAll(async () => {
    ({ server, sessionIds } = await openShop([proposesRefund, proposesRefund, proposesRefund]));
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
  });

  it('shows each proposal as an article with a form, names an error at its field, and takes an edit as an edit', async () => {
    const { taskId } = await taskOf(server, sessionIds[0] ?? '');
    const page = await browser.open(`${server.url}/tasks`);
    await page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: 'returns' }).first().waitFor();
    await page.goto(`${server.url}/tasks/${taskId}`);
    const proposal = page.getByRole('article', { name: 'refund' });
    const amount = proposal.getByLabel('amount');
    await amount.waitFor();
    expect(await amount.inputValue()).toBe('40');
    await page.getByLabel('Answer as').selectOption('bob');
    await amount.fill('400');
    await proposal.getByRole('button', { name: 'Accept' }).click();
    await proposal.locator('[aria-invalid=true]').waitFor();
    const described = (await amount.getAttribute('aria-describedby')) ?? '';
    const words = await Promise.all(
      described.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()),
    );
    expect(words.join(' ')).toContain('100');
    await amount.fill('35');
    await proposal.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('answered by bob: refund').waitFor();
    const { body } = await server.get(`/v1/tasks/${taskId}`);
    expect(body).toMatchObject({
      status: 'answered',
      answer: { by: 'bob', edited: true, metaJson: { amount: 35 } },
    });
  });

  it('lets a person choose another transition, with a reason', async () => {
    const { taskId } = await taskOf(server, sessionIds[1] ?? '');
    const page = await browser.open(`${server.url}/tasks/${taskId}`);
    await page.getByRole('radio', { name: 'escalate' }).check();
    await page.getByLabel('Reason').fill('Not for us');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText('answered by ann: escalate').waitFor();
    await page.getByText('Not for us').waitFor();
  });

  it('is claimed and released; what somebody else just did is said, and no answer is offered then', async () => {
    const { taskId, digest, proposals } = await taskOf(server, sessionIds[2] ?? '');
    const page = await browser.open(`${server.url}/tasks/${taskId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('Claimed by you').waitFor();
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    const claimed = await server.post(`/v1/tasks/${taskId}/claim`, { actAs: 'bob' });
    expect(claimed.status).toBe(200);
    await page.getByText('bob has claimed this task.').waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    const answer = { choice: 'accept', digest, proposalId: proposals[0]?.proposalId, actAs: 'bob' };
    expect((await server.post(`/v1/tasks/${taskId}/answer`, answer)).status).toBe(200);
    await page.getByText('answered by bob: refund').waitFor();
    expect(await page.getByRole('button', { name: /Accept|Answer|Claim/ }).count()).toBe(0);
  });

  it('complains about nothing, and asks no other host', () => {
    expect(browser.complaints).toEqual([]);
  });
});
