import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { correctsItsArguments, downTheLadder, proposesRefund, shopInBrowser } from './shop.js';

describe('sessions in the console', () => {
  const shop = shopInBrowser([downTheLadder, proposesRefund, correctsItsArguments]);

  it('lists them, keeps filters in the address, finds them by the beginning of an id, and follows links', async () => {
    const page = await shop.browser.open(`${shop.server.url}/sessions`);
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await rows.nth(3).waitFor();
    expect(await rows.count()).toBe(4);
    await page.getByLabel('Status').selectOption('done');
    await page.getByText('No session fits these filters').waitFor();
    expect(page.url()).toBe(`${shop.server.url}/sessions?status=done`);
    expect(await commandOn(page)).toBe(`REDIAL_URL=${shop.server.url} redial sessions --status done`);
    await page.reload();
    await page.getByText('No session fits these filters').waitFor();
    await page.goBack();
    await rows.nth(3).waitFor();
    const [wanted = ''] = shop.sessionIds;
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search' }).fill(wanted.slice(0, 8));
    await page.keyboard.press('Enter');
    await rows.nth(2).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe(`?idPrefix=${wanted.slice(0, 8)}`);
    await rows.nth(1).getByRole('link').first().click();
    await page.getByRole('treegrid', { name: 'Timeline' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/sessions/${wanted}`);
  });

  it('shows rounds, the ladder, the proposal beside the decision, and one event in its parts and raw, by its address', async () => {
    const page = await shop.browser.open(`${shop.server.url}/sessions/${shop.sessionIds[0]}`);
    const timeline = page.getByRole('treegrid', { name: 'Timeline' });
    const [round, fallback] = [
      timeline.getByRole('row', { name: 'Round 1' }),
      timeline.getByText('tools → decision'),
    ];
    await fallback.waitFor();
    expect(await round.textContent()).toContain('clerk proposed escalate');
    expect(await round.textContent()).toContain('decided by');
    const rungs = await timeline
      .locator('[data-rung]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-rung')));
    expect(new Set(rungs)).toEqual(new Set(['1', '2']));
    await fallback.click();
    const event = page.getByRole('region', { name: 'Event' });
    expect(await event.getByRole('heading').textContent()).toBe('FallbackTaken');
    expect(page.url()).toMatch(/\?event=[\w-]+solicitation-[\w-]+@3$/);
    expect(await event.textContent()).toContain('no-tool-call');
    await event.getByRole('button', { name: 'Raw' }).click();
    expect(await event.locator('pre').textContent()).toContain('"reason": "no-tool-call"');
    await page.reload();
    await event.waitFor();
    expect(await timeline.getByRole('row', { selected: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await event.waitFor({ state: 'detached' });
    await round.click();
    await fallback.waitFor({ state: 'detached' });
  });

  it('has the recorded events, the diagram with its path, the calls, and a replay that is identical', async () => {
    const page = await shop.browser.open(`${shop.server.url}/sessions/${shop.sessionIds[0]}`);
    const tab = (name: string) => page.getByRole('tab', { name }).click();
    await tab('History');
    await page.getByRole('table', { name: 'History' }).getByText('SessionCreated').waitFor();
    await tab('Diagram');
    await page.getByRole('img', { name: /3 states/ }).waitFor();
    expect(await page.getByRole('region', { name: 'The path taken' }).textContent()).toContain(
      'triage escalate → review',
    );
    await tab('Calls');
    await page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(2).waitFor();
    await page.getByRole('table', { name: 'Calls' }).getByRole('link').last().click();
    expect(await page.getByRole('region', { name: 'Reply' }).textContent()).toContain('called no tool');
    expect(await page.getByRole('region', { name: 'Request' }).textContent()).toContain(
      'The cup is broken (1)',
    );
    await page.goBack();
    await tab('Replay');
    await page.getByRole('button', { name: 'Verify replay' }).click();
    await page.getByText('identical', { exact: true }).waitFor();
  });

  it('shows a choice that did not fit as one that was corrected, and links a child to its run', async () => {
    const [, , sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(`${shop.server.url}/sessions/${sessionId}?tab=calls&at=1`);
    expect(await commandOn(page)).toBe(`REDIAL_URL=${shop.server.url} redial calls ${sessionId} --at 1`);
    await page.goto(`${shop.server.url}/sessions/${sessionId}?tab=calls`);
    const calls = page.getByRole('table', { name: 'Calls' }).getByRole('link');
    for (const [index, words] of ['called a tool', 'did not fit'].entries()) {
      await calls.nth(index).click();
      await page.getByRole('region', { name: 'Reply' }).getByText(words, { exact: true }).waitFor();
      await page.goBack();
    }
    const runId = '00000000-0000-4000-8000-000000000001';
    await page.route(`**/v1/sessions/${sessionId}/events?*`, async (route) => {
      const { items } = (await (await route.fetch()).json()) as { items: readonly object[] };
      const child = {
        ...items[0],
        stream: 'session-1',
        type: 'ChildStarted',
        data: { runId, workflow: 'planner' },
      };
      await route.fulfill({ json: { items: [child], nextCursor: null } });
    });
    await page.goto(`${shop.server.url}/sessions/${sessionId}?event=session-1@0`);
    const link = page.getByRole('region', { name: 'Event' }).getByRole('link');
    expect(await link.getAttribute('href')).toBe(`/runs/${runId}`);
  });

  it('goes through time: with the slider, by the keys of a slider, and by the address; nothing later is on the page', async () => {
    const page = await shop.browser.open(`${shop.server.url}/sessions/${shop.sessionIds[0]}`);
    const slider = page.getByRole('slider', { name: 'Time' });
    const timeline = page.getByRole('treegrid', { name: 'Timeline' });
    await timeline.getByText('TransitionExecuted').waitFor();
    await slider.focus();
    await page.keyboard.press('Home');
    await timeline.getByText('TransitionExecuted').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('at')).toBe('0');
    expect(await page.getByRole('main').textContent()).not.toContain('escalate');
    await page.reload();
    await timeline.getByText('SessionCreated').waitFor();
    expect(await slider.inputValue()).toBe('0');
    await slider.focus();
    await page.keyboard.press('End');
    await timeline.getByText('TransitionExecuted').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBeNull();
  });

  it('shows a new event without a reload', async () => {
    const page = await shop.browser.open(`${shop.server.url}/sessions/${shop.sessionIds[1]}`);
    const timeline = page.getByRole('treegrid', { name: 'Timeline' });
    await timeline.getByText('is needed').waitFor();
    const body = { transitionName: 'escalate', toState: 'review', reasoning: 'By hand' };
    expect((await shop.server.post(`/v1/sessions/${shop.sessionIds[1]}/transitions`, body)).status).toBe(200);
    await timeline.getByRole('row', { name: 'Round 1' }).getByText('decided by an operator').waitFor();
  });

  it('says that an id is unknown, with a link to the list', async () => {
    const page = await shop.browser.open(`${shop.server.url}/sessions/00000000-0000-4000-8000-000000000000`);
    await page.getByRole('heading', { level: 1, name: 'Unknown session' }).waitFor();
    await page.getByRole('main').getByRole('link').click();
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
  });

  it('complains about nothing, and asks no other host', () => {
    expect(shop.browser.complaints).toEqual([]);
  });
});

/** The command that gives outside the browser what the page shows. */
function commandOn(page: Page): Promise<string | null> {
  return page.getByRole('button', { name: 'Copy as command' }).getAttribute('title');
}
