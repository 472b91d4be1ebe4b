import { describe, expect, it } from '@jest/globals';
import { sha256 } from '#lib/kernel';
import { runHistories, sessionHistories } from './golden-histories.js';
import { playRunScenario, playScenario } from './play-scenario.js';
import { replayRuns } from './run-histories.js';
import { runScenarios } from './run-scenarios.js';
import { scenarios } from './scenarios.js';

const [newest = ''] = sessionHistories.versions().toReversed();
const [newestOfRuns = ''] = runHistories.versions().toReversed();

describe.each([
  { of: 'sessions', golden: sessionHistories, played: scenarios },
  { of: 'runs', golden: runHistories, played: runScenarios },
])('golden histories of $of', ({ golden, played }) => {
  it('hold one history for each scenario, recorded by `npm run histories:record`', () => {
    const [last = ''] = golden.versions().toReversed();
    expect(golden.names(last)).toEqual(played.map(({ name }) => name).toSorted());
  });

  it.each(golden.versions())('of %s are the files that the manifest lists, byte for byte', (version) => {
    const found = golden.names(version).map((name) => [name, sha256(golden.text(version, name))]);
    expect(Object.fromEntries(found)).toEqual(golden.manifest(version));
  });
});

describe.each(runHistories.all())('the recorded history $name', ({ history }) => {
  it('replays identically', async () => {
    expect(await replayRuns(history)).toMatchObject({ identical: true, divergences: [] });
  });
});

describe.each(runScenarios)('a run played now: $name', (scenario) => {
  it('replays identically, with events of the types of its golden history', async () => {
    const played = await playRunScenario(scenario);
    const golden = JSON.parse(runHistories.text(newestOfRuns, scenario.name)) as typeof played;
    expect(typesOf(played)).toEqual(typesOf(golden));
  });
});

describe.each(scenarios)('a session played now: $name', (scenario) => {
  it('replays identically, with events of the types of its golden history', async () => {
    const played = await playScenario(scenario);
    const golden = JSON.parse(sessionHistories.text(newest, scenario.name)) as typeof played;
    expect(typesOf(played)).toEqual(typesOf(golden));
  });
});

/**
 * Sorted: evaluations ask several specialists at once, in no fixed order. In histories of 0.2 an evaluation is a run; now it is an
 * experiment, whose batch has the events of that run.
 */
function typesOf({ events }: { readonly events: readonly { readonly type: string }[] }): readonly string[] {
  const types = events.map(({ type }) => type);
  return types.filter((type) => !type.startsWith('Experiment')).toSorted();
}
