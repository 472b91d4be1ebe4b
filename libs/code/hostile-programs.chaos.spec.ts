import { describe, expect, it } from '@jest/globals';
import { hostilePrograms, machinePrograms } from '#lib/activities/testing';
import type { SandboxResult } from '#lib/call-rules';
import { type Json, jsonText, unstorableValue } from '#lib/kernel';
import { UnitAllowance } from '#lib/workflow';
import { componentsOf } from './components.rules.js';
import { messageIn } from './program-call.script.js';
import { shownVariables } from './shown-variables.rules.js';
import { sandbox, stateAfter, tool } from './testing/code-history.js';
import {
  hostileGroups,
  lineOf,
  recordedOutcomes,
  sliceOf,
  unexpectedIn,
} from './testing/hostile-outcomes.js';

const MOST_MS = 500;
/** The most bytes of a recorded message: its own text, and a list of at most a thousand citations. */
const MOST_BYTES = 1_000_000;

/** Uses a result as a server does: appends, folds and shows it. @returns the bytes of the longest message that it records */
function use(code: string, result: SandboxResult): number {
  jsonText(stateAfter(code, result, [tool('find')]));
  jsonText(shownVariables(result.variables));
  const sent = result.calls.filter((call) => call.tool === 'yield');
  const records = sent.map(({ input }) => recordOf(input));
  expect(records.map((record) => unstorableValue(record))).toEqual(records.map(() => undefined));
  return Math.max(0, ...records.map((record) => jsonText(record).length));
}

/** The message that a run records for a yielded value; empty if the value is refused. */
function recordOf(input: Json): object {
  const unit = new UnitAllowance('reply', {});
  const message = messageIn(input, { components: componentsOf(), isCiting: true, unit });
  return 'error' in message ? {} : message;
}

describe('hostile programs', () => {
  const recorded = recordedOutcomes();

  it.each(hostileGroups)(
    'L-46 L-47: %s: each program ends as it is recorded, with the same values, traces, calls and ticks',
    async (title, play) => {
      const played = await play();
      const lines = played.map(lineOf);
      expect(lines).toEqual(recorded.get(title));
      expect(unexpectedIn(title, lines)).toEqual([]);
      const longest = played.flatMap(([code, results]) => results.map((result) => use(code, result)));
      expect(Math.max(...longest)).toBeLessThan(MOST_BYTES);
    },
  );

  it('L-47: native work and depth that differ from machine to machine are stopped, by time or stack', async () => {
    const runs = machinePrograms.map((code) => sandbox.run(sliceOf(code, MOST_MS)));
    const endings = (await Promise.allSettled(runs)).map((run) =>
      run.status === 'rejected' ? (run.reason as Error).name : (run.value.end?.kind ?? 'waits'),
    );
    expect(new Set(endings)).toEqual(new Set(['SliceTimedOut', 'SliceTooDeep']));
  });

  it('are at least 150', () => {
    const known = hostilePrograms.flatMap(([, programs]) => programs);
    expect(known.length + machinePrograms.length).toBeGreaterThanOrEqual(150);
  });
});
