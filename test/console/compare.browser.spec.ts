import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { downTheLadder, proposesRefund, shopInBrowser, taskOf } from './shop.js';

describe('two sessions in the console', () => {
  const shop = shopInBrowser([downTheLadder, proposesRefund]);

  it('are compared decision by decision: from a session, by choosing another one of its machine, at an address of their own', async () => {
    const [first = '', second = ''] = shop.sessionIds;
    const { taskId, digest, proposals } = await taskOf(shop.server, second);
    const answer = { choice: 'accept', digest, proposalId: proposals[0]?.proposalId, actAs: 'bob' };
    expect((await shop.server.post(`/v1/tasks/${taskId}/answer`, answer)).status).toBe(200);
    const page = await shop.browser.open(`${shop.server.url}/sessions/${first}`);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: second.slice(0, 8) }).click();
    await page.getByText('1 of 1 decisions differ').waitFor();
    expect(page.url()).toBe(`${shop.server.url}/compare?a=${first}&b=${second}`);
    const decision = page.getByRole('region', { name: 'Decision 1' });
    await decision.getByText('decided by bob (a person)').waitFor();
    await decision.getByText('Differences, member by member').click();
    const row = decision.getByRole('row', { name: /^\/transitionName/ });
    expect(await row.getByRole('cell').allTextContents()).toEqual(['/transitionName', 'escalate', 'refund']);
    await page.goto(`${shop.server.url}/compare?a=${first}&b=${first}`);
    await page.getByText('same decisions').waitFor();
  });

  it('are saved as history files that replay takes', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(`${shop.server.url}/sessions/${sessionId}`);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export history' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe(`session-${sessionId}.jsonl`);
    const saved = await readFile(await file.path(), 'utf8');
    const [head, ...events] = saved.trimEnd().split('\n');
    expect(JSON.parse(head ?? '')).toMatchObject({
      redial: 'history',
      root: { kind: 'session', id: sessionId },
    });
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ end: true, events: events.length - 1 });
  });

  it('complains about nothing, and asks no other host', () => {
    expect(shop.browser.complaints).toEqual([]);
  });
});
