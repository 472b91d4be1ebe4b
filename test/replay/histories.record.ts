import { expect, it } from '@jest/globals';
import { HELPERS } from '#lib/workflow';
import { helperHistories, recordedVersion, runHistories, sessionHistories } from './golden-histories.js';
import { helperScenarios, playHelper } from './helper-scenarios.js';
import type { History } from './history.js';
import { playRunScenario, playScenario } from './play-scenario.js';
import type { RunsHistory } from './run-histories.js';
import { runScenarios } from './run-scenarios.js';
import { scenarios } from './scenarios.js';

// Run by `npm run histories:record` alone. They replace the histories of one version and their manifests.
it('records every scenario of a session with this version', async () => {
  const histories = new Map<string, History>();
  for (const scenario of scenarios) histories.set(scenario.name, await playScenario(scenario));
  sessionHistories.write(recordedVersion(), histories);
  expect(histories.size).toBe(scenarios.length);
});

it('records every scenario of a run with this version', async () => {
  const histories = new Map<string, RunsHistory>();
  for (const scenario of runScenarios) histories.set(scenario.name, await playRunScenario(scenario));
  runHistories.write(recordedVersion(), histories);
  expect(histories.size).toBe(runScenarios.length);
});

it('records every helper of scripts, if their number is new', () => {
  const number = String(HELPERS);
  const isKnown = helperHistories.versions().includes(number);
  const played = helperScenarios.map((scenario) => [scenario.helper, playHelper(scenario)] as const);
  if (!isKnown) helperHistories.write(number, new Map(played));
  expect(helperHistories.names(number)).toHaveLength(played.length);
});
