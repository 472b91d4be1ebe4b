import { describe, expect, it } from '@jest/globals';
import { approval } from '../support/approval.workflow.js';
import { API_TOKEN } from '../support/redial-server.js';
import { proposesRefund, shopInBrowser, taskOf } from './shop.js';

const bearer = { Authorization: `Bearer ${API_TOKEN}` };

describe('the console of a server with a token', () => {
  const shop = shopInBrowser(
    [proposesRefund],
    { environment: { REDIAL_API_TOKEN: API_TOKEN }, options: { workflows: [approval] } },
    bearer,
  );

  it('asks for the token, refuses a wrong one, leads to where one wanted to go, and forgets it with "Log out"', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(`${shop.server.url}/sessions/${sessionId}?tab=history`);
    const logIn = async (token: string) => {
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Log in' }).click();
    };
    await logIn('wrong');
    await page.getByText('The server does not know this token.').waitFor();
    await logIn(API_TOKEN);
    await page.getByRole('table', { name: 'History' }).waitFor();
    const copy = page.getByRole('button', { name: 'Copy as curl' });
    expect(await copy.getAttribute('title')).toContain('$REDIAL_API_TOKEN');
    expect(await page.content()).not.toContain(API_TOKEN);
    await page.reload();
    await page.getByRole('table', { name: 'History' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(API_TOKEN);
  });

  it('offers to a viewer, and to an operator who is no person, no answer', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const { taskId } = await taskOf(shop.server, sessionId, bearer);
    const { body } = await shop.server.post('/v1/people', { personId: 'vic', role: 'viewer' }, bearer);
    for (const token of [API_TOKEN, (body as { token: string }).token]) {
      const page = await shop.browser.open(`${shop.server.url}/tasks/${taskId}`);
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('article', { name: 'refund' }).waitFor();
      expect(await page.getByRole('button', { name: /^(?:Accept|Answer|Claim)$/ }).count()).toBe(0);
    }
  });

  it('lets a person answer a task of all reviewers also if more people are registered than a page lists', async () => {
    const input = { item: 'cup' };
    await shop.server.post('/v1/runs', { workflow: 'approval', input, waitMs: 10_000 }, bearer);
    const tasks = await shop.server.get('/v1/tasks?kind=approval', bearer);
    const [{ taskId } = { taskId: '' }] = (tasks.body as { items: { taskId: string }[] }).items;
    const { body } = await shop.server.post('/v1/people', { personId: 'zoe', role: 'reviewer' }, bearer);
    const page = await shop.browser.open(`${shop.server.url}/tasks/${taskId}`);
    await page.route('**/v1/people?*', (route) => route.fulfill({ json: { items: [], nextCursor: 'zoe' } }));
    await page.getByLabel('Token').fill((body as { token: string }).token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
  });
});
