import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';
import { serverOfTheDemo } from './server-of-the-demo.js';

const IMAGES = join(import.meta.dirname, '../../docs/images');

/** The pictures of docs/console.md: what the demo has left, as the console shows it. */
describe('pictures of the console', () => {
  let browser: TestBrowser;
  let server: RedialServer;

  beforeAll(async () => {
    server = await serverOfTheDemo();
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser.stop();
    await server.stop();
  });

  /** The session of a customer of the demo. */
  const sessionOf = async (customer: string): Promise<string> => {
    const { body } = await server.get('/v1/sessions?limit=50');
    const { items } = body as { items: { sessionId: string; metaJson: { customer: string } }[] };
    return items.find(({ metaJson }) => metaJson.customer === customer)?.sessionId ?? '';
  };

  it.each([
    ['session', 'light', async (): Promise<string> => `/sessions/${await sessionOf('Ben')}`],
    ['tasks', 'dark', async (): Promise<string> => '/tasks'],
    ['system', 'light', (): Promise<string> => sealed(server)],
    ['call', 'light', async (): Promise<string> => callOf(server, await sessionOf('Ben'))],
  ] as const)('%s', async (name, colorScheme, pathOf) => {
    const viewport = { width: 1100, height: 720 };
    const page = await browser.open(`${server.url}${await pathOf()}`, { colorScheme, viewport });
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.getByRole('main').locator('a, table').first().waitFor();
    await page.screenshot({ path: join(IMAGES, `console-${name}.jpg`), quality: 55 });
    expect(browser.complaints).toEqual([]);
  });
});

async function sealed(server: RedialServer): Promise<string> {
  await server.post('/v1/seals');
  return '/system';
}

async function callOf(server: RedialServer, sessionId: string): Promise<string> {
  const { body } = await server.get(`/v1/llm-calls?sessionId=${sessionId}`);
  const [call] = (body as { items: { callId: string }[] }).items;
  return `/calls/${call?.callId}`;
}
