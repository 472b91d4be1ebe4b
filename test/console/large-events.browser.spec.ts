import { describe, expect, it } from '@jest/globals';
import { downTheLadder, shopInBrowser } from './shop.js';

const MARK = 'the end of a large text';

describe('an event of more than 64 kB', () => {
  const shop = shopInBrowser([downTheLadder]);

  it('is in the history without its large members, and whole once it is opened', async () => {
    const metaJson = { text: `${'x'.repeat(100_000)}${MARK}` };
    const { body } = await shop.server.post('/v1/sessions', { machineName: 'returns', metaJson });
    const page = await shop.browser.open(shop.server.url);
    const answers: string[] = [];
    page.on('response', (response) => {
      if (/\/events\?/.test(response.url())) void response.text().then((text) => answers.push(text));
    });
    await page.goto(`${shop.server.url}/sessions/${body.sessionId as string}?tab=history`);
    const history = page.getByRole('table', { name: 'History' });
    await history.getByText('without metaJson').waitFor();
    expect(answers.filter((text) => text.includes(MARK))).toEqual([]);
    await history.getByRole('button', { name: 'SessionCreated' }).click();
    const event = page.getByRole('region', { name: 'Event' });
    await event.getByRole('button', { name: 'Show all' }).click();
    await event.getByText(MARK).waitFor();
    await event.getByRole('button', { name: 'Raw' }).click();
    await event.getByText('"metaJson"').waitFor();
    expect(shop.browser.complaints).toEqual([]);
  });
});
