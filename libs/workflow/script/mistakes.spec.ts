import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import { WorkflowBug } from '../derive.rules.js';
import { echo } from '../testing/echo.script.js';
import { echoActivity, echoed, failed } from '../testing/echo.activity.js';
import { RunHistory } from '../testing/run-history.js';
import type { Workflow } from '../workflow.js';
import { WorkflowRegistry } from '../workflow-registry.js';
import { all, attempt, either } from './branches.script.js';
import { type Body, defineWorkflow } from './define-workflow.js';
import { RunFails } from './failures.js';
import { retried } from './retried.script.js';
import type { Open, Script, Steps } from './script.js';
import { checkScript, type ScriptState } from './scripted.rules.js';
import { now, signal, timer } from './waits.script.js';

const activities = [echoActivity()];
const sample = (body: Body<Json, unknown>): Workflow =>
  defineWorkflow('sample', { input: {}, versions: { 1: body } });
const given = (body: Body<Json, unknown>) => RunHistory.of(sample(body), { input: null, activities });
const ok = echoed({ input: 1 });

describe('a mistake in a script is a WorkflowBug', () => {
  it('when two steps have the same id', () => {
    const run = () =>
      given(function* () {
        yield* timer('PT1S', { id: 'x' });
        yield* timer('PT1S', { id: 'x' });
      }).fire('x');
    expect(run).toThrow(
      '[WorkflowBug] the script sample 1: the id x comes twice. Give each step its own id.',
    );
  });

  it('when two steps have the same id in one branch, and it says in which', () => {
    const run = () =>
      given(function* () {
        yield* all({ a: twice() });
      }).fire('all#1/a/x');
    function* twice() {
      yield* timer('PT1S', { id: 'x' });
      yield* timer('PT1S', { id: 'x' });
    }
    expect(run).toThrow('sample 1 at all#1/a: the id all#1/a/x comes twice');
  });

  it('when a helper is made and not run, and it says where', () => {
    const run = () =>
      given(function* () {
        echo('forgotten');
        yield* timer('PT1S');
      });
    expect(run).toThrow(/`echo\(\)` is made at \S+mistakes\.spec\.ts:\d+:\d+ and not run\. Write `yield\*`/);
  });

  it('when the last helper is made and not run', () => {
    const run = () =>
      given(function* () {
        yield* now();
        all([echo(1)]);
      });
    expect(run).toThrow(/`all\(\)` is made at \S+ and not run/);
  });

  it('when a cancelled branch yields in `finally`', () => {
    function* clinging(): Steps<void> {
      try {
        yield* timer('PT1H');
      } finally {
        yield* timer('PT2H');
      }
    }
    const run = () =>
      given(function* () {
        yield* all([echo(1), clinging()]);
      }).answer('all#1/0/echo#1#1', failed('network'));
    expect(run).toThrow('sample 1 at all#1/1: a cancelled branch yields in `finally`');
  });

  it('when `either` is given what may make calls', () => {
    const run = () =>
      given(function* () {
        yield* either({ call: echo(1) as Open<Json>, late: timer('PT1H') });
      });
    expect(run).toThrow('`either` waits for `call`, which may make calls');
  });

  it.each<[string, () => Script<unknown>, string]>([
    ['a duration', () => timer('2 hours'), '"2 hours" is no duration'],
    ['a duration of months', () => timer('P1M'), '"P1M" is no duration'],
    ['an instant', () => timer({ until: 'soon' }), '"soon" is no instant'],
    ['an offset', () => timer({ until: '2026-12-01T09:00' }), '"2026-12-01T09:00" is no instant'],
    ['a date', () => timer({ until: 'Dec 1 2026' }), '"Dec 1 2026" is no instant'],
    [
      'a number of attempts',
      () => retried({ attempts: Number('three'), call: () => echo(1) }),
      'NaN is no number of attempts',
    ],
    ['an id', () => timer('PT1S', { id: 'a/b' }), 'the id "a/b" is none'],
  ])('when %s has no meaning', (_, helper, message) => {
    const run = () =>
      given(function* () {
        yield* helper();
      });
    expect(run).toThrow(message);
  });

  it('when it asks without an end', () => {
    const run = () =>
      given(function* () {
        for (;;) yield* now();
      });
    expect(run).toThrow('it asks without an end and never waits');
  });

  it('when it yields something else than a helper', () => {
    const run = () =>
      given(function* () {
        yield timer('PT1S') as never;
      });
    expect(run).toThrow('it yields something else than a helper. Write `yield*`');
  });

  it.each([
    ['an async function', async () => Promise.resolve(1)],
    ['a function without steps', () => 1],
  ])('when it is %s', (_, body) => {
    const run = () => given(body as never);
    expect(run).toThrow('it is no generator. Write `function*`, which is not `async`.');
  });

  it('that is an error of its own, which the message names', () => {
    const run = () =>
      given(function* () {
        yield* timer('PT1S');
        return JSON.parse('') as string;
      }).fire('timer#1');
    expect(run).toThrow(
      /^\[WorkflowBug\] the script sample 1: it threw SyntaxError: .*Let it handle that, or throw `RunFails`/,
    );
    expect(run).toThrow(WorkflowBug);
  });

  it('also when the script catches it', () => {
    const run = () =>
      given(function* () {
        try {
          yield* timer('never');
        } catch {
          return 'caught';
        }
        return 'done';
      });
    expect(run).toThrow(WorkflowBug);
  });
});

describe('a script that was changed', () => {
  it('and asks for something else than what is recorded is a WorkflowBug, and not continued', () => {
    const before = given(function* () {
      yield* echo(1);
      yield* signal('go');
    }).answer('echo#1#1', ok);
    const changed = sample(function* () {
      yield* signal('go');
      yield* echo(1);
    }).versions[1];
    const [start, ...rest] = before.events;
    const begun = changed?.initialState({ ...start, runId: before.run.runId } as never);
    const state = rest.reduce((at, event) => changed?.evolve(at, event as never), begun);
    expect(() => changed?.next(state)).toThrow(
      'it does not ask for what is recorded: EchoRequested echo#1#1',
    );
    expect(() => changed?.next(state)).toThrow(WorkflowBug);
  });

  it('is not run by a release that does not know the version of its helpers', () => {
    const registry = new WorkflowRegistry([sample(function* () {})]);
    expect(registry.rulesOf({ workflow: 'sample', version: 1 })).toBeDefined();
    expect(registry.rulesOf({ workflow: 'sample', version: 1, helpers: 1 })).toBeDefined();
    expect(registry.rulesOf({ workflow: 'sample', version: 1, helpers: 2 })).toBeUndefined();
  });

  it('by the clock, or by what another run left, is found when it is run again', () => {
    let count = 0;
    const history = given(function* () {
      yield* signal('go');
    });
    expect(() => checkScript(history.run.state as ScriptState)).not.toThrow();
    const other = sample(function* () {
      count++;
      yield* signal(`go${count}`);
    }).versions[1];
    const state = other?.initialState({ ...history.events[0], runId: history.run.runId } as never);
    other?.next(state);
    expect(() => other?.check?.(state)).toThrow('asks for something else when it is run again');
  });
});

describe('RunFails', () => {
  it('ends the run even if the script catches it', () => {
    const history = given(function* () {
      try {
        yield* all([fails()]);
      } catch {
        yield* timer('PT1S');
      }
      return 'caught';
    });
    function* fails(): Steps<never> {
      yield* now();
      throw new RunFails({ kind: 'no', message: 'No' });
    }
    expect(history.end).toEqual({ status: 'failed', failure: { kind: 'no', message: 'No' } });
  });

  it('is no failed step', () => {
    const history = given(function* () {
      yield* attempt(fails());
    });
    // oxlint-disable-next-line require-yield -- it fails at once
    function* fails(): Steps<never> {
      throw new RunFails({ kind: 'no', message: 'No' });
    }
    expect(history.end?.failure?.kind).toBe('no');
  });

  it('cancels what is open, and waits for calls', () => {
    const history = given(function* () {
      yield* all([echo(1), timer('PT1H'), late()]);
    });
    function* late(): Steps<never> {
      yield* signal('go', { id: 'go' });
      throw new RunFails({ kind: 'no', message: 'No' });
    }
    history.signal('all#1/2/go', null);
    expect(history.recorded.at(-1)).toMatchObject({
      type: 'StepCancelled',
      data: { stepId: 'all#1/1/timer#1' },
    });
    expect(history.answer('all#1/0/echo#1#1', ok).end?.status).toBe('failed');
  });
});
