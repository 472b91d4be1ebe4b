import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { RedialServer } from '../support/redial-server.js';
import { TestBrowser } from './browser.js';

describe('the console when its server goes away', () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await TestBrowser.start();
  });
  afterAll(async () => {
    await browser.stop();
  });

  it('says "Connection lost", and goes on when the server is back', async () => {
    const place = { dataDir: temporaryFolder() };
    const first = await RedialServer.start({ place });
    const page = await browser.open(`${first.url}/sessions`);
    await page.getByText('No sessions yet').waitFor();
    await first.stop();
    const lost = page.getByRole('status').filter({ hasText: 'Connection lost' });
    await lost.waitFor();
    const second = await RedialServer.start({ place, environment: { PORT: new URL(first.url).port } });
    try {
      await lost.waitFor({ state: 'detached' });
    } finally {
      await second.stop();
    }
  });
});
