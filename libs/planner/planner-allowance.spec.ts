import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type JsonObject, jsonText } from '#lib/kernel';
import { ALLOWANCE, NotDerived } from '#lib/workflow';
import { planner } from './planner.workflow.js';
import { ask, given, tool } from './testing/planner-history.js';

const list = { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } };
const find = { ...tool('find', { concurrencySafe: true }), parameters: list };
const argumentsOf = (length: number) => jsonText({ list: Array.from({ length }, (_, index) => [[index]]) });

function rejected(run: ReturnType<typeof given>): number {
  return run.events.filter(({ type }) => type === 'ToolCallRejected').length;
}

describe('0.2-O8 schemas in the input of a run', () => {
  const problems = (parameters: JsonObject) =>
    planner.versions[2]?.problemsOf?.({ tools: [], exits: [{ name: 'done', description: '', parameters }] });

  it.each([
    [{ type: 'object', properties: { a: { $ref: '#/nowhere' } } }, '/exits/0/parameters/properties/a/$ref'],
    [{ type: 'object', properties: { a: { pattern: '(?=a)' } } }, '/exits/0/parameters/properties/a/pattern'],
    [{ type: 'object', $dynamicRef: '#a' }, '/exits/0/parameters/$dynamicRef'],
  ])('%j that a machine refuses is refused there too', (parameters, path) => {
    expect(problems(parameters)).toMatchObject([{ path }]);
  });

  it('that a machine takes are taken', () => {
    expect(problems({ type: 'object', properties: { a: { type: 'string' } } })).toEqual([]);
  });
});

it.each([
  ['a tool', { tools: ['find'], exits: [{ name: 'find' }] }, '/exits/0/name'],
  ['an exit before it', { tools: [], exits: [{ name: 'done' }, { name: 'done' }] }, '/exits/1/name'],
  ['a tool that is an exit', { tools: [], exits: ['done', { name: 'done' }] }, '/exits/1/name'],
])(
  '0.2-V14: an inline exit with the name of %s is refused: one of them would be offered',
  (_, input, path) => {
    const exits = input.exits.map((exit) =>
      typeof exit === 'string' ? exit : { ...exit, description: '', parameters: { type: 'object' } },
    );
    expect(planner.versions[2]?.problemsOf?.({ ...input, exits })).toMatchObject([{ path }]);
  },
);

describe('0.2-S5 the checks of all calls of a reply share one allowance', () => {
  const reply = (calls: number, length: number) =>
    ask(...Array.from({ length: calls }, () => ['find', argumentsOf(length)] as const));
  const begun = (facts?: Parameters<typeof given>[3]) =>
    given({ concurrency: 128, maxRounds: 1 }, [find], undefined, facts);

  it('calls over it are rejected as too large to check, and that is recorded', () => {
    const run = begun().answer('round-1#1', reply(12, 25_000));
    for (let step = [...run.open.keys()][0]; step; step = [...run.open.keys()][0])
      run.answer(step, { completed: { result: { success: true, message: 'ok' }, durationMs: 1 } });
    expect(rejected(run)).toBeGreaterThan(1);
    expect(jsonText(run.events)).toContain('tooLargeToCheck');
    expect(run.end?.status).toBe('completed');
  });

  it('a few large calls are within it', () => {
    expect(rejected(begun().answer('round-1#1', reply(4, 25_000)))).toBe(0);
  });

  it('a run of a release without allowances is not derived if it takes more, and is as before if it does not', () => {
    expect(() => begun({}).answer('round-1#1', reply(12, 25_000))).toThrow(NotDerived);
    const [old, granted] = [begun({}), begun()].map(
      (run) => run.answer('round-1#1', reply(4, 25_000)).recorded,
    );
    expect(old).toEqual(granted);
  });

  it('whatever calls a reply makes, they take no more than a run grants, and a second run gives the same', () => {
    const call = fc.record({ length: fc.nat(200), size: fc.constantFrom(1, 1, 20) });
    const grants = fc.integer({ min: 0, max: 20_000 });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 20 }), grants, (calls, steps) => {
        const asked = calls.map(({ length, size }) => ['find', argumentsOf(length * size)] as const);
        const facts = { [ALLOWANCE]: { reply: { steps } } };
        const answered = () => begun(facts).answer('round-1#1', ask(...asked));
        const [first, second] = [answered(), answered()];
        expect(second.recorded).toEqual(first.recorded);
        // For each call, in the order of the model, because all of them run at once.
        const made = first.recorded.map(({ type }) => type).filter((type) => type.startsWith('ToolCallRe'));
        expect(made).toHaveLength(calls.length);
        // Once a call is refused, every later call is refused as well: the allowance does not grow again.
        const firstRefused = made.indexOf('ToolCallRejected');
        expect(firstRefused === -1 || !made.includes('ToolCallRequested', firstRefused)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
});
