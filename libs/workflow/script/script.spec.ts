import { describe, expect, it } from '@jest/globals';
import type { Event, Json } from '#lib/kernel';
import { echo } from '../testing/echo.script.js';
import { echoActivity, echoed, failed } from '../testing/echo.activity.js';
import { RunHistory } from '../testing/run-history.js';
import { askPerson } from './ask-person.script.js';
import { all, attempt, block, either } from './branches.script.js';
import { type Body, defineWorkflow } from './define-workflow.js';
import { RunFails } from './failures.js';
import { retried } from './retried.script.js';
import { here, type Steps } from './script.js';
import { child, now, record, signal, timer, uuid } from './waits.script.js';

const activities = [echoActivity()];
const events = { Noted: { version: 1 } };
const noted: Event = { type: 'Noted', data: { text: 'same' } };

function given(body: Body<Json, unknown>, input: Json = null): RunHistory {
  const workflow = defineWorkflow('sample', { input: {}, events, versions: { 1: body } });
  return RunHistory.of(workflow, { input, activities });
}
const steps = (history: RunHistory) =>
  history.recorded.map(({ type, data }) => `${type} ${(data as { stepId?: string }).stepId ?? ''}`.trim());
const open = (history: RunHistory) => [...history.open.keys()];
const ok = (output: Json) => echoed({ input: output });

describe('a script', () => {
  it('asks, and goes on with the results, one after the other', () => {
    const history = given(function* ({ input }) {
      const one = yield* echo(input);
      const two = yield* echo([one]);
      return { two };
    }, 'a');
    expect(steps(history)).toEqual(['EchoRequested echo#1#1']);
    history.answer('echo#1#1', ok('b')).answer('echo#2#1', ok('c'));
    expect(history.recorded[2]?.data).toMatchObject({ stepId: 'echo#2#1', input: ['b'] });
    expect(history.end).toEqual({ status: 'completed', result: { two: 'c' } });
  });

  it('is a function of its own, and a generator within another one', () => {
    function* twice(input: Json) {
      yield* echo(input);
      return yield* echo(input);
    }
    const history = given(function* () {
      return [yield* twice(1), yield* twice(2)];
    });
    for (const step of [1, 2, 3, 4]) history.answer(`echo#${step}#1`, ok(step));
    expect(history.end?.result).toEqual([2, 4]);
  });

  it('that gives nothing ends with null', () => {
    expect(given(function* () {}).end).toEqual({ status: 'completed', result: null });
  });

  it('fails with the failure of a step that it does not catch', () => {
    const history = given(function* () {
      yield* echo(1);
    }).answer('echo#1#1', failed('network'));
    expect(history.end).toEqual({ status: 'failed', failure: { kind: 'network', message: 'no answer' } });
  });

  it('takes a failed step as a value within `attempt`', () => {
    const history = given(function* () {
      const tried = yield* attempt(echo(1));
      return 'failed' in tried ? `${tried.failed.kind} ${tried.failed.stepId}` : tried.value;
    }).answer('echo#1#1', failed('network'));
    expect(history.end?.result).toBe('network echo#1#1');
  });

  it('fails with a failure of its own, and with what it gives besides', () => {
    const history = given(function* () {
      yield* now();
      throw new RunFails({ kind: 'late', message: 'Too late' }, { count: 1 });
    });
    const failure = { kind: 'late', message: 'Too late' };
    expect(history.end).toEqual({ status: 'failed', failure, result: { count: 1 } });
  });

  it('records events, also the same one more than once', () => {
    const history = given(function* () {
      yield* record(noted);
      yield* record(noted);
    });
    expect(steps(history)).toEqual(['Noted', 'Noted', 'WorkflowEnded']);
  });

  it('knows the time of the event after which it goes on, and ids that no other run has', () => {
    const history = given(function* () {
      const [before, one, two] = [yield* now(), yield* uuid(), yield* uuid()];
      yield* timer('PT1M');
      return { before, after: yield* now(), same: one === two };
    }).fire('timer#1');
    const [start, , fired] = history.events;
    expect(history.end?.result).toEqual({
      before: start?.occurredAt,
      after: fired?.occurredAt,
      same: false,
    });
  });

  it('waits until an instant, and not at all if that is over', () => {
    const history = given(function* () {
      yield* timer({ until: '2026-01-02T03:05:05Z' });
      yield* timer({ until: '2025-01-01T00:00:00Z' });
    }).fire('timer#1');
    const waits = history.recorded.flatMap(({ type, data }) => (type === 'TimerStarted' ? data : []));
    expect(waits).toEqual([
      { stepId: 'timer#1', afterMs: 60_000, until: '2026-01-02T03:05:05Z' },
      { stepId: 'timer#2', afterMs: 0, until: '2025-01-01T00:00:00Z' },
    ]);
  });

  it('runs a child, and fails with its failure', () => {
    const history = given(function* () {
      const good = yield* child<number>('other', { n: 1 });
      const bad = yield* attempt(child('other', { n: 2 }));
      return { good, bad: 'failed' in bad && bad.failed.kind };
    });
    history.endChild('child#1', { status: 'completed', result: 7 });
    history.endChild('child#2', { status: 'cancelled' });
    expect(history.end?.result).toEqual({ good: 7, bad: 'cancelled' });
  });

  it('is given values that it cannot change', () => {
    const history = given(
      function* ({ input }) {
        const { payload } = yield* signal('go');
        return [input, payload].map((value) => Object.isFrozen((value as { a: object }).a));
      },
      { a: {} },
    ).signal('signal#1', { a: [] });
    expect(history.end?.result).toEqual([true, true]);
  });
});

describe('people and signals of a script', () => {
  const yesNo = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };

  it('are asked with a title, a question and a schema, and answer with who and when', () => {
    const history = given(function* () {
      return yield* askPerson({ title: 'Buy?', question: 'A chair.', schema: yesNo }, { id: 'buy' });
    });
    expect(history.recorded[0]).toEqual({
      type: 'SignalAwaited',
      data: {
        stepId: 'buy',
        signal: 'answer',
        schema: yesNo,
        prompt: { title: 'Buy?', question: 'A chair.' },
      },
    });
    history.signal('buy', { yes: true });
    const at = history.events[2]?.occurredAt;
    expect(history.end?.result).toEqual({ payload: { yes: true }, by: '', at });
  });

  it('that do not answer in time fail the step, or give the answer that was named for that', () => {
    const question = { title: 'Buy?', schema: yesNo, expireIn: 'PT1H' };
    const history = given(function* () {
      const failed = yield* attempt(askPerson(question));
      const { payload, by } = yield* askPerson({ ...question, onExpiry: { payload: { yes: false } } });
      return [failed, { payload, by }];
    });
    history.fire('person#1').fire('person#2');
    expect(history.end?.result).toMatchObject([
      { failed: { kind: 'expired', stepId: 'person#1' } },
      { payload: { yes: false }, by: 'timer' },
    ]);
  });
});

describe('branches of a script', () => {
  it('go on each by itself, and their steps have paths', () => {
    const history = given(function* () {
      return yield* all([twice(1), twice(2)]);
    });
    expect(open(history)).toEqual(['all#1/0/echo#1#1', 'all#1/1/echo#1#1']);
    history.answer('all#1/1/echo#1#1', ok(1)).answer('all#1/1/echo#2#1', ok('two'));
    expect(open(history)).toEqual(['all#1/0/echo#1#1']);
    history.answer('all#1/0/echo#1#1', ok(1)).answer('all#1/0/echo#2#1', ok('one'));
    expect(history.end?.result).toEqual(['one', 'two']);
  });

  function* twice(input: Json) {
    yield* echo(input);
    return yield* echo(input);
  }

  it('have names in place of numbers, and results by them', () => {
    const history = given(function* () {
      return yield* all({ a: echo(1, { id: 'x' }), b: block('deep', echo(2, { id: 'x' })) });
    });
    expect(open(history)).toEqual(['all#1/a/x#1', 'all#1/b/deep/x#1']);
    history.answer('all#1/b/deep/x#1', ok(2)).answer('all#1/a/x#1', ok(1));
    expect(history.end?.result).toEqual({ a: 1, b: 2 });
  });

  it('may be none', () => {
    expect(
      given(function* () {
        return [yield* all([]), yield* all({})];
      }).end?.result,
    ).toEqual([[], {}]);
  });

  it('are cancelled by the first failure, which is thrown when no call is open', () => {
    const history = given(function* () {
      const tried = yield* attempt(all([echo(1), echo(2), timer('PT1H'), child('other', null)]));
      return 'failed' in tried && tried.failed.stepId;
    });
    history.answer('all#1/0/echo#1#1', failed('network'));
    expect(steps(history).slice(-2)).toEqual([
      'StepCancelled all#1/2/timer#1',
      'StepCancelled all#1/3/child#1',
    ]);
    expect(history.end).toBeUndefined();
    history.answer('all#1/1/echo#1#1', failed('timeout'));
    history.endChild('all#1/3/child#1', { status: 'cancelled' });
    expect(history.end?.result).toBe('all#1/0/echo#1#1');
  });

  it('that are raced end with the first outcome in the log, and the others are cancelled', () => {
    const history = given(function* () {
      const first = yield* either({ answer: signal<string>('go'), late: timer('PT1H') });
      yield* echo(1);
      return 'late' in first ? 'late' : first.answer.payload;
    });
    history.signal('either#1/answer/signal#1', 'now');
    expect(steps(history).slice(3)).toEqual([
      'StepCancelled either#1/late/timer#1',
      'EchoRequested echo#1#1',
    ]);
    history.answer('echo#1#1', ok(1));
    expect(history.end?.result).toBe('now');
  });

  it('may be nested, and an inner failure cancels the outer ones', () => {
    const history = given(function* () {
      return yield* all([
        all([either({ a: signal('a'), b: timer('PT1H') }), echo(1)]),
        block('w', timer('PT2H')),
      ]);
    });
    history.answer('all#1/0/all#1/1/echo#1#1', failed('network'));
    expect(steps(history).slice(-4)).toEqual([
      'StepCancelled all#1/0/all#1/0/either#1/a/signal#1',
      'StepCancelled all#1/0/all#1/0/either#1/b/timer#1',
      'StepCancelled all#1/1/w/timer#1',
      'WorkflowEnded',
    ]);
  });

  it('run `finally` when they are cancelled', () => {
    const seen: string[] = [];
    function* watched(): Steps<void> {
      try {
        yield* timer('PT1H');
      } finally {
        seen.push('finally');
      }
    }
    given(function* () {
      yield* attempt(all([echo(1), watched()]));
    }).answer('all#1/0/echo#1#1', failed('network'));
    expect(seen).toContain('finally');
  });
});

describe('a script that is tried again', () => {
  const tries = (again?: () => boolean) =>
    given(function* () {
      const call = () => echo(1, { id: 'x' });
      return yield* retried({ id: 'r', attempts: 3, call, ...(again && { again }) });
    });

  it('waits longer each time, and fails with the last failure', () => {
    const history = tries().answer('r/1/x#1', failed('network')).fire('r/pause#2');
    history.answer('r/2/x#1', failed('network')).fire('r/pause#3').answer('r/3/x#1', failed('timeout'));
    const waits = history.recorded.flatMap(({ type, data }) => (type === 'TimerStarted' ? data : []));
    expect(waits).toMatchObject([{ afterMs: 500 }, { afterMs: 1_000 }]);
    expect(history.end?.failure?.kind).toBe('timeout');
  });

  it('is not tried again after a failure that says so, or that is refused', () => {
    expect(tries().answer('r/1/x#1', failed('network', false)).end?.status).toBe('failed');
    expect(tries(() => false).answer('r/1/x#1', failed('network')).end?.status).toBe('failed');
  });

  it('does not count interruptions, of which there are three at most', () => {
    const history = tries();
    for (const n of [1, 2]) history.answer(`r/${n}/x#1`, failed('interrupted'));
    expect(open(history)).toEqual(['r/3/x#1']);
    expect(history.answer('r/3/x#1', failed('interrupted')).end?.failure?.kind).toBe('interrupted');
  });
});

describe('a run of a script that is cancelled', () => {
  it('opens nothing, and ends when nothing is open, whatever the script catches', () => {
    const history = given(function* () {
      for (;;) yield* attempt(all([echo(1), timer('PT1H')]));
    });
    history.cancel().answer('all#1/0/echo#1#1', failed('network'));
    expect(history.end).toEqual({ status: 'cancelled' });
  });

  it('keeps what the script records and gives', () => {
    const history = given(function* () {
      yield* echo(1);
      yield* record(noted);
      return 'done';
    });
    history.cancel().answer('echo#1#1', ok(1));
    expect(history.end).toEqual({ status: 'cancelled', result: 'done' });
  });

  it('may say how it ends then, with the steps that it had opened', () => {
    const history = given(function* () {
      const place = yield* here();
      place.endWhenCancelled(() => {
        throw new RunFails({ kind: 'cancelled', message: 'Over' }, { steps: place.opened.length });
      });
      yield* all([echo(1), echo(2)]);
    });
    history.answer('all#1/1/echo#1#1', ok(2)).cancel().answer('all#1/0/echo#1#1', ok(1));
    expect(history.end).toEqual({
      status: 'cancelled',
      failure: { kind: 'cancelled', message: 'Over' },
      result: { steps: 2 },
    });
  });
});
