import { expect, it } from '@jest/globals';
import { packageVersion, writeHistories } from './golden-histories.js';
import type { History } from './history.js';
import { playScenario } from './play-scenario.js';
import { scenarios } from './scenarios.js';

// Runs by `npm run histories:record` alone. It replaces the histories of the version in package.json and their manifest.
it('records every scenario with this version', async () => {
  const histories = new Map<string, History>();
  for (const scenario of scenarios) histories.set(scenario.name, await playScenario(scenario));
  writeHistories(packageVersion(), histories);
  expect(histories.size).toBe(scenarios.length);
});
