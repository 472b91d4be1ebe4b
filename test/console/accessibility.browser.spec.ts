import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RedialServer } from '../support/redial-server.js';
import { downTheLadder, proposesRefund, shopInBrowser, taskOf } from './shop.js';
import { faultsOf, windows } from './looks.js';

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

  it.each(windows)(
    'has no violation that axe finds in either theme, and is not wider than the window: %s',
    async (window) => {
      expect(await faultsOf(shop, window, paths)).toEqual([]);
    },
  );
});

async function eventsOf(server: RedialServer, sessionId: string) {
  const { body } = await server.get(`/v1/sessions/${sessionId}/events`);
  return (body as { items: { type: string; stream: string }[] }).items;
}
