import { RedialClient } from '#lib/client';
import type { Benchmark, Observation } from '../comparison.js';
import {
  type Browser,
  elementsOf,
  longestTask,
  newPage,
  openBrowser,
  type Page,
} from '../fixtures/browser.js';
import { atRest, decidedTimes, fillLog } from '../fixtures/fill-log.js';
import { median } from '../median.js';
import { ServerProcess } from '../servers/server-process.js';

const ROWS = 10_000;
/** Events of a round in the long session. */
const EVENTS_OF_ROUND = 2;
const TIMES = 5;
const SCROLLS = 100;
const SCROLL_PX = 1_500;
const LONGEST_MS = 600_000;

interface View {
  readonly name: string;
  readonly path: string;
  readonly words: string;
  /** The element that has the rows. */
  readonly rows: string;
  /** The first row with content. */
  readonly first: string;
}

/** The console in a real browser: a list of 10,000 sessions, and a session of 10,000 events. */
export const consolePages: Benchmark = {
  name: 'console',
  onlyByName: true,
  async open(folder) {
    await fillLog(folder, ROWS, atRest);
    await fillLog(folder, 1, decidedTimes(Math.ceil(ROWS / EVENTS_OF_ROUND)));
    const server = await ServerProcess.start(
      './redial-server.js',
      JSON.stringify({ REDIAL_DATA_DIR: folder }),
    );
    const sessionId = await caughtUp(new RedialClient({ url: server.url }));
    const browser = await openBrowser();
    const views = viewsOf(server.url, sessionId);
    return {
      comparisons: [],
      observe: async () => {
        const all: Observation[] = [];
        for (const view of views) all.push(...(await observe(browser, view)));
        return all;
      },
      close: async () => {
        await browser.close();
        await server.stop();
      },
    };
  },
};

function viewsOf(url: string, sessionId: string): readonly View[] {
  return [
    {
      name: 'console-list',
      path: `${url}/sessions`,
      words: `a list of ${ROWS} sessions`,
      rows: 'table.list',
      first: 'table.list tbody td',
    },
    {
      name: 'console-session',
      path: `${url}/sessions/${sessionId}`,
      words: `a session of ${ROWS} events`,
      rows: '[role=treegrid]',
      first: '[role=treegrid] [role=row]',
    },
  ];
}

/** @returns the long session, once rows hold the whole log */
async function caughtUp(client: RedialClient): Promise<string> {
  const deadline = performance.now() + LONGEST_MS;
  for (;;) {
    const { items: projections } = await client.listProjections();
    if (projections.every(({ status }) => status === 'live')) break;
    if (performance.now() > deadline) throw new Error('The rows did not catch up in time.');
  }
  const { items } = await client.listSessions({ machineName: 'endless', limit: 1 });
  return items[0]?.sessionId ?? '';
}

async function observe(browser: Browser, view: View): Promise<readonly Observation[]> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) times.push(await firstRows(browser, view));
  const { elements, longest } = await scrolled(browser, view);
  const { name, words } = view;
  return [
    {
      name: `${name}-rows`,
      value: median(times),
      atMost: 1_500,
      unit: 'ms',
      observed: `first rows of ${words}`,
    },
    {
      name: `${name}-task`,
      value: longest,
      atMost: 100,
      unit: 'ms',
      observed: `longest task while scrolling ${words}`,
    },
    {
      name: `${name}-elements`,
      value: elements,
      atMost: 2_000,
      unit: 'elements',
      observed: `most elements of ${words}`,
    },
  ];
}

/** From the request for the page to its first rows, without any cache. */
async function firstRows(browser: Browser, { path, first }: View): Promise<number> {
  const page = await newPage(browser);
  const begun = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator(first).first().waitFor();
  const took = performance.now() - begun;
  await page.context().close();
  return took;
}

/** The most elements and the longest task from the first row on, while the wheel scrolls down and the rest of the rows is read. */
async function scrolled(browser: Browser, { path, rows, first }: View) {
  const page = await newPage(browser);
  await page.goto(path);
  await page.locator(first).first().hover();
  await settled(page);
  await longestTask(page);
  let elements = 0;
  for (let n = 0; n < SCROLLS; n++) {
    await page.mouse.wheel(0, SCROLL_PX);
    await settled(page);
    elements = Math.max(elements, await elementsOf(page, rows));
  }
  const longest = await longestTask(page);
  await page.context().close();
  return { elements, longest };
}

/** Two frames later: the changes have been drawn. */
function settled(page: Page): Promise<unknown> {
  return page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}
