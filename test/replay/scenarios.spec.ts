import { describe, expect, it } from '@jest/globals';
import { historyNames, manifestOf, readHistoryText, versions } from './golden-histories.js';
import { sha256 } from '#lib/kernel';
import { playScenario } from './play-scenario.js';
import { scenarios } from './scenarios.js';

const [newest = ''] = versions().toReversed();

describe('golden histories', () => {
  it('hold one history for each scenario, recorded by `npm run histories:record`', () => {
    expect(historyNames(newest)).toEqual(scenarios.map(({ name }) => name).toSorted());
  });

  it.each(versions())('of %s are the files that the manifest lists, byte for byte', (version) => {
    const found = historyNames(version).map((name) => [name, sha256(readHistoryText(version, name))]);
    expect(Object.fromEntries(found)).toEqual(manifestOf(version));
  });
});

describe.each(scenarios)('a session played now: $name', (scenario) => {
  it('replays identically, with events of the types of its golden history', async () => {
    const played = await playScenario(scenario);
    const golden = JSON.parse(readHistoryText(newest, scenario.name)) as typeof played;
    expect(typesOf(played)).toEqual(typesOf(golden));
  });
});

/** Sorted: evaluations ask several specialists at once, in no fixed order. */
function typesOf({ events }: { readonly events: readonly { readonly type: string }[] }): readonly string[] {
  return events.map(({ type }) => type).toSorted();
}
