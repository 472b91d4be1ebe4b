import type { RedialServer } from '../support/redial-server.js';
import type { TestBrowser } from './browser.js';
import { violationsOf } from './violations.js';

const OPTIONS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'a phone': { colorScheme: 'light', viewport: { width: 375, height: 740 } },
  'a phone in the dark': { colorScheme: 'dark', viewport: { width: 375, height: 740 } },
} as const;

export type Look = keyof typeof OPTIONS;
export const LOOKS = Object.keys(OPTIONS) as readonly Look[];

interface Place {
  readonly server: RedialServer;
  readonly browser: TestBrowser;
}

/** The violations that axe finds on pages, and those pages that are wider than the window. */
export async function faultsOf(
  { server, browser }: Place,
  look: Look,
  paths: readonly string[],
): Promise<readonly string[]> {
  const page = await browser.open(server.url, OPTIONS[look]);
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    found.push(...(await violationsOf(page)).map((violation) => `${path}: ${violation}`));
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${path}: too wide`);
  }
  await page.context().close();
  return found;
}
