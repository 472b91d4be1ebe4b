import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '#lib/kernel';
import { echo } from '../testing/echo.script.js';
import { echoActivity, echoed } from '../testing/echo.activity.js';
import { RunHistory } from '../testing/run-history.js';
import type { Started } from '../workflow.js';
import { called } from './call.script.js';
import { type Body, defineWorkflow } from './define-workflow.js';
import { beside, branched, type Steps, until } from './script.js';
import { scripted } from './scripted.rules.js';
import { timer } from './waits.script.js';

const activities = [echoActivity()];
const started: Started = {
  type: 'WorkflowStarted',
  data: { workflow: 'sample', version: 1, input: null, facts: {} },
  occurredAt: '2026-01-02T03:04:05Z',
  runId: '6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11',
};

/** A workflow of the engine. Its script uses the parts that helpers are made of. */
function given(body: Body<Json, unknown>): RunHistory {
  const workflow = defineWorkflow('sample', { input: {}, versions: { 1: body } });
  return RunHistory.of(workflow, { input: null, activities });
}
const open = (history: RunHistory) => [...history.open.keys()];
const ok = (output: Json) => echoed({ input: output });

describe('branches of a script', () => {
  const several = (count: number, atMost: number) =>
    given(function* () {
      const scripts = Array.from({ length: count }, (_, index) => ({
        script: echo(index, { id: `e${index}` }),
      }));
      const results = yield* branched({ path: 'b', scripts, until: 'all', atMost });
      return results.map(({ value }) => value);
    });

  it('run as many at once as they may: the next one begins when one ends, whatever the order of their outcomes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(9)),
        (count, atMost, picks) => {
          const history = several(count, atMost);
          for (let left = count; left > 0; left--) {
            const now = open(history);
            expect(now).toHaveLength(Math.min(left, atMost));
            const id = now[(picks.pop() ?? 0) % now.length] ?? '';
            history.answer(id, ok(id));
          }
          const ids = Array.from({ length: count }, (_, index) => `b/e${index}#1`);
          expect(history.end?.result).toEqual(ids);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may be added by one of them, after those that there are: they are over when all are', () => {
    function* adding(): Steps<string> {
      yield* echo('first', { id: 'first' });
      for (const id of ['x', 'y']) yield* beside(echo(id, { id }));
      return 'added';
    }
    const history = given(function* () {
      const scripts = [{ script: adding() }, { script: echo('z', { id: 'z' }) }];
      const [added] = yield* branched({ path: 'b', scripts, until: 'all' });
      return added?.value;
    });
    expect(open(history)).toEqual(['b/first#1', 'b/z#1']);
    history.answer('b/first#1', ok(1));
    expect(open(history)).toEqual(['b/z#1', 'b/x#1', 'b/y#1']);
    history.answer('b/y#1', ok(1)).answer('b/z#1', ok(1));
    expect(history.end).toBeUndefined();
    expect(history.answer('b/x#1', ok(1)).end?.result).toBe('added');
  });

  it('wait for what other branches bring about, and go on in the same event', () => {
    const history = given(function* () {
      const state = { count: 0 };
      function* counting(id: string): Steps<void> {
        yield* echo(id, { id });
        state.count++;
      }
      function* waiting(): Steps<void> {
        yield* until(() => state.count === 2);
        yield* echo('last', { id: 'last' });
      }
      const scripts = [waiting(), counting('x'), counting('y')].map((script) => ({ script }));
      yield* branched({ path: 'b', scripts, until: 'all' });
      return state.count;
    });
    history.answer('b/y#1', ok(1));
    expect(open(history)).toEqual(['b/x#1']);
    history.answer('b/x#1', ok(1));
    expect(open(history)).toEqual(['b/last#1']);
    expect(history.answer('b/last#1', ok(1)).end?.result).toBe(2);
  });

  it('that were cancelled while they wait for others go on no more', () => {
    const history = given(function* () {
      function* waiting(): Steps<void> {
        yield* until(() => false);
      }
      const scripts = [waiting(), timer('PT1S')].map((script) => ({ script }));
      const [first] = yield* branched({ path: 'b', scripts, until: 'first' });
      return first?.index;
    });
    expect(history.fire('b/timer#1').end?.result).toBe(1);
  });
});

it('a step that waits for its place is made anew with what came since; once it is opened it is not', () => {
  const rules = scripted({ input: {} }, function* () {
    const seen: string[] = [];
    function* collecting(id: string): Steps<void> {
      yield* echo(id, { id });
      seen.push(id);
    }
    const late = called(() => ({ id: 'late', activity: 'echo', input: [...seen] }));
    const scripts = [late, collecting('x'), collecting('y')].map((script) => ({ script }));
    yield* branched({ path: 'b', scripts, until: 'all' });
  });
  const happened = (type: string, stepId: string) => ({
    type,
    data: { stepId },
    occurredAt: '2026-01-02T03:04:05Z',
  });
  const after = (...events: readonly ReturnType<typeof happened>[]) =>
    rules.next(events.reduce((state, event) => rules.evolve(state, event), rules.initialState(started)));
  const begun = ['b/x#1', 'b/y#1'].map((id) => happened('EchoRequested', id));
  const x = happened('EchoCompleted', 'b/x#1');
  expect(after(...begun)).toMatchObject([{ id: 'late', input: [] }]);
  expect(after(...begun, x)).toMatchObject([{ id: 'late', input: ['x'] }]);
  expect(after(...begun, x, happened('EchoRequested', 'late'))).toEqual([]);
});
