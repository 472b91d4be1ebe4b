import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { downTheLadder, shopInBrowser } from './shop.js';

const EVENTS = 10_000;
/** A row for each round, and the events of the newest one. */
const ROWS = 1_010;
/** Events of a page but for the first one, and the page that is answered once the session is left. */
const PAGE = 500;
const HELD = 600;

describe('a session of 10,000 events', () => {
  const shop = shopInBrowser([downTheLadder]);

  it('has at most 2,000 elements in its timeline, at its start, at its end and unfolded', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(shop.server.url);
    await withLongHistory(page, sessionId);
    await page.goto(`${shop.server.url}/sessions/${sessionId}`);
    const timeline = page.getByRole('treegrid', { name: 'Timeline' });
    await timeline.getByText('Round 1', { exact: true }).waitFor();
    await page.locator(`[role=treegrid][aria-rowcount="${ROWS}"]`).waitFor();
    const elements = () => timeline.evaluate((grid) => grid.querySelectorAll('*').length);
    await timeline.focus();
    await page.keyboard.press('End');
    await timeline.getByText(`event ${EVENTS}`, { exact: true }).waitFor();
    expect(await elements()).toBeLessThan(2_000);
    await page.keyboard.press('Home');
    const first = timeline.getByText('Round 1', { exact: true });
    await first.waitFor();
    await first.click();
    await timeline.getByText('event 2', { exact: true }).waitFor();
    expect(await elements()).toBeLessThan(2_000);
  });

  it('is read to its end when its page is opened again after it was left in between, though the log does not move', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(shop.server.url);
    // No word of the stream of events reads anything anew.
    await page.route('**/v1/events/stream*', (route) => route.abort());
    const progress = new EventEmitter();
    const left = once(progress, 'left');
    await withLongHistory(page, sessionId, async (from) => {
      if (from === HELD) progress.emit('held');
      if (from === HELD) await left;
    });
    const isHeld = once(progress, 'held');
    await page.goto(`${shop.server.url}/sessions/${sessionId}`);
    await isHeld;
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    progress.emit('left');
    await page.goBack();
    await page.locator(`[role=treegrid][aria-rowcount="${ROWS}"]`).waitFor();
  });

  it('is not read on once its page is left: each page of it is asked for once by the reading that takes over', async () => {
    const [sessionId = ''] = shop.sessionIds;
    const page = await shop.browser.open(shop.server.url);
    const asked: number[] = [];
    const progress = new EventEmitter();
    const left = once(progress, 'left');
    await withLongHistory(page, sessionId, async (from) => {
      asked.push(from);
      if (from === HELD) progress.emit('held');
      if (from === HELD) await left;
    });
    const isHeld = once(progress, 'held');
    const isReadAgain = readTwice(page, `/v1/sessions/${sessionId}`);
    await page.goto(`${shop.server.url}/sessions/${sessionId}`);
    // The first word of the stream of events reads all anew.
    await Promise.all([isHeld, isReadAgain]);
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    progress.emit('left');
    await page.goBack();
    await page.locator(`[role=treegrid][aria-rowcount="${ROWS}"]`).waitFor();
    const later = asked.filter((from) => from > HELD && from < EVENTS - PAGE);
    expect(later.length).toBeGreaterThan(10);
    expect(later).toEqual([...new Set(later)]);
  });
});

/** Resolves once this path has been asked for twice. */
async function readTwice(page: Page, path: string): Promise<void> {
  let times = 0;
  await page.waitForRequest((request) => new URL(request.url()).pathname === path && ++times === 2);
}

/** The log of such a session takes minutes to write: its pages are made up, in the form of the API. */
async function withLongHistory(
  page: Page,
  sessionId: string,
  note: (from: number) => Promise<void> | void = () => undefined,
): Promise<void> {
  await page.route(`**/v1/sessions/${sessionId}/events?*`, async (route) => {
    const url = new URL(route.request().url());
    const from = Number(url.searchParams.get('cursor') ?? 0);
    await note(from);
    const to = Math.min(EVENTS, from + Number(url.searchParams.get('limit')));
    const items = Array.from({ length: to - from }, (_, index) => eventAt(from + index));
    await route.fulfill({ json: { items, nextCursor: to < EVENTS ? String(to) : null } });
  });
}

/** Ten events a round, the last of which decides it. */
function eventAt(index: number) {
  const round = Math.floor(index / 10);
  const isLast = index % 10 === 9;
  return {
    eventId: `e${index}`,
    type: isLast ? 'TransitionExecuted' : 'ProposalSubmitted',
    schemaVersion: 1,
    stream: 'session-1',
    revision: index,
    position: String(index),
    occurredAt: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    data: {
      roundId: `r${round}`,
      transitionName: 'again',
      fromState: 'a',
      toState: 'a',
      decidedBy: 'default',
    },
    metadata: {},
    summary: `event ${index + 1}`,
  };
}
