import { describe, expect, it } from '@jest/globals';
import { proposesRefund, shopInBrowser, taskOf } from './shop.js';

describe('tasks in the console', () => {
  const shop = shopInBrowser([proposesRefund, proposesRefund, proposesRefund, proposesRefund]);

  it('shows each proposal as an article with a form, names an error at its field, and takes an edit as an edit', async () => {
    const { taskId } = await taskOf(shop.server, shop.sessionIds[0] ?? '');
    const page = await shop.browser.open(`${shop.server.url}/tasks`);
    await page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: 'returns' }).first().waitFor();
    expect(await page.getByLabel('Kind').getByRole('option').allTextContents()).toContain('decision');
    await page.goto(`${shop.server.url}/tasks/${taskId}`);
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
    await page.getByText('is at rest in state closed').waitFor();
    const { body } = await shop.server.get(`/v1/tasks/${taskId}`);
    expect(body).toMatchObject({
      status: 'answered',
      answer: { by: 'bob', edited: true, metaJson: { amount: 35 } },
    });
  });

  it('lets a person choose another transition, with a reason', async () => {
    const { taskId } = await taskOf(shop.server, shop.sessionIds[1] ?? '');
    const page = await shop.browser.open(`${shop.server.url}/tasks/${taskId}`);
    const dueAt = new Date(Date.now() + 7_500_000).toISOString();
    await shop.server.post(`/v1/tasks/${taskId}/extend`, { dueAt, expiresAt: dueAt });
    await page.getByText('Due in 2 h').waitFor();
    await page.getByText('Expires in 2 h').waitFor();
    await page.getByRole('radio', { name: 'escalate' }).check();
    await page.getByLabel('Reason').fill('Not for us');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText('answered by ann: escalate').waitFor();
    await page.getByText('Not for us').waitFor();
  });

  it('says why an answer is refused also if the error is at no field of a form', async () => {
    const { taskId } = await taskOf(shop.server, shop.sessionIds[2] ?? '');
    const page = await shop.browser.open(`${shop.server.url}/tasks/${taskId}`);
    await page.getByRole('radio', { name: 'escalate' }).check();
    await page.getByLabel('Reason').fill('x'.repeat(5000));
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: '/reason must be shorter' }).waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toHaveLength(5000);
  });

  it('has no text in a form that was typed for another task, also if both are known already', async () => {
    const [one, other] = await Promise.all(
      [2, 3].map((index) => taskOf(shop.server, shop.sessionIds[index] ?? '')),
    );
    const page = await shop.browser.open(`${shop.server.url}/tasks/${one?.taskId}`);
    const reason = page.getByLabel('Reason');
    const show = async (taskId = '') => {
      await page.getByRole('searchbox', { name: 'Search' }).fill(taskId);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/tasks/${taskId}`);
      await page.getByRole('radio', { name: 'escalate' }).check();
      await reason.waitFor();
    };
    await page.getByRole('radio', { name: 'escalate' }).waitFor();
    await show(other?.taskId);
    await reason.fill('Only for this one');
    await show(one?.taskId);
    expect(await reason.inputValue()).toBe('');
  });

  it('sends a comment and an answer once for a double click', async () => {
    const { taskId } = await taskOf(shop.server, shop.sessionIds[3] ?? '');
    const page = await shop.browser.open(`${shop.server.url}/tasks/${taskId}`);
    const sent: string[] = [];
    page.on(
      'request',
      (request) => request.method() === 'POST' && sent.push(request.url().split('/').at(-1) ?? ''),
    );
    await page.getByLabel('Comment', { exact: true }).fill('Once');
    await page.getByRole('button', { name: 'Add comment' }).dblclick();
    await page.getByRole('listitem').getByText('Once').waitFor();
    await page.getByRole('radio', { name: 'escalate' }).check();
    await page.getByRole('button', { name: 'Answer', exact: true }).dblclick();
    await page.getByText('answered by ann: escalate').waitFor();
    expect(sent).toEqual(['comments', 'answer']);
  });

  it('is claimed and released; what somebody else just did is said, and no answer is offered then', async () => {
    const { taskId, digest, proposals } = await taskOf(shop.server, shop.sessionIds[2] ?? '');
    const page = await shop.browser.open(`${shop.server.url}/tasks/${taskId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('Claimed by you').waitFor();
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    const claimed = await shop.server.post(`/v1/tasks/${taskId}/claim`, { actAs: 'bob' });
    expect(claimed.status).toBe(200);
    await page.getByText('bob has claimed this task.').waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    const answer = { choice: 'accept', digest, proposalId: proposals[0]?.proposalId, actAs: 'bob' };
    expect((await shop.server.post(`/v1/tasks/${taskId}/answer`, answer)).status).toBe(200);
    await page.getByText('answered by bob: refund').waitFor();
    expect(await page.getByRole('button', { name: /Accept|Answer|Claim/ }).count()).toBe(0);
  });

  it('complains about nothing, and asks no other host', () => {
    expect(shop.browser.complaints).toEqual([]);
  });
});
