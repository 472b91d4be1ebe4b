import { afterAll, describe, expect, it } from '@jest/globals';
import { Sandbox } from '#lib/activities';
import { type Ending, hostileMessages, hostilePrograms } from '#lib/activities/testing';
import type { SandboxResult, WholeSlice } from '#lib/calls';
import { type Json, jsonText } from '#lib/kernel';
import { componentsOf } from './components.rules.js';
import { beginCall } from './program-call.rules.js';
import { shownVariables } from './shown-variables.rules.js';
import { stateAfter, tool } from './testing/code-history.js';

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

/** Any program may come to the end of its time on a machine that is busy: that is a defined status, too. */
const limits = { ticks: 2, memoryBytes: 16 * 1024 * 1024, stackBytes: 65_536 };
const MOST_MS = 500;
const MINUTE = 60_000;

const properties = [{ name: 'note', value: null, writable: true, schema: { maxLength: 9 } }];
const objects = [{ name: 'cart', properties }];

function sliceOf(code: string, timeMs: number): WholeSlice {
  const program = {
    code,
    tools: ['find'],
    clock: '2026-01-02T03:04:05.000Z',
    seed: 'run 1',
    limits: { ...limits, timeMs },
  };
  return { program, variables: null, objects, outcomes: [], known: -1 };
}

/** Failures of a slice that replay does not compute again: where they come differs from machine to machine. */
const MACHINE_ENDINGS: ReadonlySet<string> = new Set(['SliceTimedOut', 'SliceTooDeep']);

async function endingOf(slice: WholeSlice): Promise<readonly [Ending, SandboxResult?]> {
  try {
    const result = await sandbox.run(slice);
    return [result.end?.kind ?? 'waits', result];
  } catch (error) {
    if (!(error instanceof Error) || !MACHINE_ENDINGS.has(error.name)) throw error;
    return ['machine'];
  }
}

/** The steps of a server with a result: append, fold, show. */
function used(code: string, result: SandboxResult): void {
  jsonText(stateAfter(code, result, [tool('find')]));
  jsonText(shownVariables(result.variables));
}

describe.each(hostilePrograms)('hostile programs: %s', (_, endings, programs) => {
  it('L-47: end in a defined status, and with the same again, where neither time nor the stack of the thread stopped them', async () => {
    const ended = [];
    for (const code of programs) {
      const [ending, result] = await endingOf(sliceOf(code, MOST_MS));
      if (result) used(code, result);
      const again = result && (await endingOf(sliceOf(code, MINUTE)))[1];
      ended.push({ code: code.slice(0, 120), ending, result, again });
    }
    expect(ended.filter(({ ending }) => ending !== 'machine' && !endings.includes(ending))).toEqual([]);
    const repeated = ended.filter(({ again }) => again);
    for (const { code, result, again } of repeated) expect([code, again]).toEqual([code, result]);
  });
});

it('the corpus has 150 programs', () => {
  expect(hostilePrograms.flatMap(([, , programs]) => programs).length).toBeGreaterThanOrEqual(150);
});

/** Slices of a program whose messages are sent. */
async function sent(code: string): Promise<readonly (readonly [Ending, SandboxResult?])[]> {
  const slice = sliceOf(code, MINUTE);
  const program = { ...slice.program, components: { Message: 'Message' }, sources: 0 };
  const slices = [];
  for (let known = -1; known < MESSAGES; known++) {
    const outcomes = Array.from({ length: known + 1 }, (_, call) => ({ call, value: null }));
    const [ending, result] = await endingOf({ ...slice, program, outcomes, known: outcomes.length - 1 });
    slices.push([ending, result] as const);
    for (const { input } of result?.calls ?? [])
      expect(jsonText(recordOf(input)).length).toBeLessThan(MOST_BYTES);
    if (ending !== 'waits' || result?.calls.length === 0) break;
  }
  return slices;
}

const MESSAGES = 3;
/** Of a message as it is recorded: its own text, and a list of at most a thousand citations. */
const MOST_BYTES = 1_000_000;

/** The message that a run records of what was yielded; empty where it is refused. */
function recordOf(input: Json): object {
  const setting = { callables: [], components: componentsOf(), hooks: {}, iteration: 1, sources: [] };
  return beginCall('call', { tool: 'yield', input }, setting).message ?? {};
}

describe('hostile messages', () => {
  it('L-46 L-47: end or wait, are messages or errors, and come to the same again', async () => {
    for (const code of hostileMessages) {
      const slices = await sent(code);
      expect(['returned', 'threw', 'limit', 'waits']).toContain(slices.at(-1)?.[0]);
      expect([code, await sent(code)]).toEqual([code, slices]);
    }
  });
});
