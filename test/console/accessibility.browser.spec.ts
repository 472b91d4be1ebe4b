import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RedialServer } from '../support/redial-server.js';
import { downTheLadder, proposesRefund, shopInBrowser, taskOf } from './shop.js';
import { violationsOf } from './violations.js';

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'a phone': { colorScheme: 'light', viewport: { width: 375, height: 740 } },
  'a phone in the dark': { colorScheme: 'dark', viewport: { width: 375, height: 740 } },
} as const;

describe('every page of the console', () => {
  const shop = shopInBrowser([downTheLadder, proposesRefund]);
  let paths: readonly string[];

  beforeAll(async () => {
    const { server } = shop;
    const [session = '', other = ''] = shop.sessionIds;
    const { taskId } = await taskOf(server, other);
    const { body } = await server.get(`/v1/sessions/${session}/llm-calls`);
    const [, call] = (body as { items: { callId: string; solicitationId: string }[] }).items;
    const event = `${(await eventsOf(server, session)).find(({ type }) => type === 'LlmCallCompleted')?.stream}@2`;
    paths = [
      '/',
      '/sessions',
      '/sessions?status=done',
      `/sessions/${session}?event=${event}`,
      ...['history', 'diagram', 'calls', 'replay'].map((tab) => `/sessions/${session}?tab=${tab}`),
      '/sessions/unknown',
      '/calls',
      `/calls/${call?.callId}`,
      '/tasks',
      `/tasks/${taskId}`,
      '/runs',
      '/conversations',
      '/machines',
      ...['', 'specialists', 'trust', 'definition'].map((tab) => `/machines/returns?tab=${tab}`),
      '/experiments',
      '/models',
      '/system',
      `/compare?a=${session}`,
      `/compare?a=${session}&b=${other}`,
    ];
  });

  it.each(Object.entries(LOOKS))(
    'has no violation that axe finds, and is not wider than the window: %s',
    async (_, look) => {
      const page = await shop.browser.open(shop.server.url, look);
      const found: string[] = [];
      for (const path of paths) {
        await page.goto(shop.server.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        found.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          found.push(`${path}: too wide`);
      }
      expect(found).toEqual([]);
    },
  );
});

async function eventsOf(server: RedialServer, sessionId: string) {
  const { body } = await server.get(`/v1/sessions/${sessionId}/events`);
  return (body as { items: { type: string; stream: string }[] }).items;
}
