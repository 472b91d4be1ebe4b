import { afterAll, describe, expect, it } from '@jest/globals';
import { Sandbox } from '#lib/activities';
import { type Ending, hostilePrograms } from '#lib/activities/testing';
import type { SandboxResult, WholeSlice } from '#lib/calls';
import { jsonText } from '#lib/kernel';
import { shownVariables } from './shown-variables.rules.js';
import { stateAfter, tool } from './testing/code-history.js';

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

/** Any program may come to the end of its time on a machine that is busy: that is a defined status, too. */
const limits = { ticks: 2, memoryBytes: 16 * 1024 * 1024, stackBytes: 65_536 };
const MOST_MS = 500;
const MINUTE = 60_000;

function sliceOf(code: string, timeMs: number): WholeSlice {
  const program = {
    code,
    tools: ['find'],
    clock: '2026-01-02T03:04:05.000Z',
    seed: 'run 1',
    limits: { ...limits, timeMs },
  };
  return { program, variables: null, outcomes: [], known: -1 };
}

async function endingOf(slice: WholeSlice): Promise<readonly [Ending, SandboxResult?]> {
  try {
    const result = await sandbox.run(slice);
    return [result.end?.kind ?? 'waits', result];
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SliceTimedOut') throw error;
    return ['time'];
  }
}

/** What a server does with it: appends it, folds it, shows it. */
function used(code: string, result: SandboxResult): void {
  jsonText(stateAfter(code, result, [tool('find')]));
  jsonText(shownVariables(result.variables));
}

describe.each(hostilePrograms)('hostile programs: %s', (_, endings, programs) => {
  it('L-47: end in a defined status, and where they are not stopped for their time, with the same again', async () => {
    const ended = [];
    for (const code of programs) {
      const [ending, result] = await endingOf(sliceOf(code, MOST_MS));
      if (result) used(code, result);
      const again = result && (await endingOf(sliceOf(code, MINUTE)))[1];
      ended.push({ code: code.slice(0, 120), ending, result, again });
    }
    expect(ended.filter(({ ending }) => ending !== 'time' && !endings.includes(ending))).toEqual([]);
    for (const { code, result, again } of ended) expect([code, again]).toEqual([code, result]);
  });
});

it('the corpus has 150 programs', () => {
  expect(hostilePrograms.flatMap(([, , programs]) => programs).length).toBeGreaterThanOrEqual(150);
});
