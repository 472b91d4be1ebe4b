import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds. The policy of the page refuses scripts that it does not serve; the browser's own evaluation is not of the page. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  // Of what passes axe would describe every element, too.
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(({ id, nodes }) => `${id} (${nodes[0]?.html.slice(0, 120)})`);
}
