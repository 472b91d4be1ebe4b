import { describe, expect, it } from '@jest/globals';
import { jsonText, sha256 } from '#lib/kernel';
import { HELPERS } from '#lib/workflow';
import * as entry from '../../libs/engine/public/workflow.js';
import * as rules from '../../libs/engine/public/workflow/rules.js';
import { helperHistories } from './golden-histories.js';
import { type HelperHistory, helperScenarios, playHelper, replayHelper } from './helper-scenarios.js';

const numbers = Array.from({ length: HELPERS }, (_, index) => String(index + 1));

describe('golden histories of the helpers of scripts', () => {
  it('hold one history for each helper and number, recorded by `npm run histories:record`', () => {
    const names = helperScenarios.map(({ helper }) => helper).toSorted();
    expect(helperHistories.versions()).toEqual(numbers);
    expect(numbers.map((number) => helperHistories.names(number))).toEqual(numbers.map(() => names));
  });

  it.each(numbers)('of the number %s are the files that the manifest lists, byte for byte', (number) => {
    const found = helperHistories
      .names(number)
      .map((name) => [name, sha256(helperHistories.text(number, name))]);
    expect(Object.fromEntries(found)).toEqual(helperHistories.manifest(number));
  });
});

it('each helper that scripts are offered has a scenario', () => {
  const ofRules = Object.keys(rules);
  const offered = Object.keys(entry).filter((name) => /^[a-z]/.test(name) && !ofRules.includes(name));
  const known = helperScenarios.map(({ helper }) => helper);
  expect(offered.toSorted()).toEqual(['defineWorkflow', ...known].toSorted());
});

function recorded(number: string, helper: string): HelperHistory {
  return JSON.parse(helperHistories.text(number, helper)) as HelperHistory;
}

describe.each(helperScenarios.map((scenario) => [scenario.helper, scenario] as const))(
  '%s',
  (helper, scenario) => {
    it.each(numbers)('with the number %s: its history replays identically', (number) => {
      const found = replayHelper(scenario, recorded(number, helper));
      expect(found).toMatchObject({ open: false });
      expect(found.divergence).toBeUndefined();
    });

    it('gives the events of its newest history when it is played now', () => {
      expect(jsonText(playHelper(scenario))).toBe(jsonText(recorded(String(HELPERS), helper)));
    });
  },
);
