import type { Page } from 'playwright-core';
import type { RedialServer } from '../support/redial-server.js';
import type { TestBrowser } from './browser.js';
import { violationsOf } from './violations.js';

const WINDOWS = { 'a desk': { width: 1280, height: 800 }, 'a phone': { width: 375, height: 740 } };
const THEMES = ['light', 'dark'] as const;

export type Window = keyof typeof WINDOWS;
export const windows = Object.keys(WINDOWS) as readonly Window[];

interface Place {
  readonly server: RedialServer;
  readonly browser: TestBrowser;
}

/** The violations that axe finds on pages, in both themes, and those pages that are wider than the window. */
export async function faultsOf(
  { server, browser }: Place,
  window: Window,
  paths: readonly string[],
): Promise<readonly string[]> {
  const page = await browser.open(server.url, { viewport: WINDOWS[window] });
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    found.push(...(await violationsInThemes(page)).map((violation) => `${path}, ${violation}`));
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${path}: too wide`);
  }
  await page.context().close();
  return found;
}

async function violationsInThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`[data-theme=${colorScheme}]`).waitFor();
    found.push(...(await violationsOf(page)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}
