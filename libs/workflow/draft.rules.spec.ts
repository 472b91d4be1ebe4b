import { describe, expect, it } from '@jest/globals';
import { answerOf, derivable, LIMITS } from './derive.rules.js';
import { Draft, draftEvent } from './draft.rules.js';
import { dueAtOf, type OpenStep } from './run.decider.js';
import type { Run } from './run.rules.js';
import type { RunEnd } from './runtime.events.js';
import { call, count, noted, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity, echoed, failed } from './testing/echo.activity.js';
import { purchase } from './testing/purchase.workflow.js';
import { RunHistory } from './testing/run-history.js';
import type { Seen, Step } from './workflow.js';
import { KeptMap } from './kept-map.js';

const activities = [echoActivity()];
const types = (history: RunHistory) => history.recorded.map(({ type }) => type);
const play = (next: (events: readonly Seen[]) => readonly Step[]) =>
  RunHistory.of(plainWorkflow(next), { input: {}, activities });
const done: RunEnd = { status: 'completed', result: 'done' };

describe('a workflow, given what came from outside', () => {
  it('requests a call, records what follows from its outcome, and waits for a signal', () => {
    const history = RunHistory.of(purchase, { input: { item: 'chair' }, activities });
    history.answer('quote#1', echoed({ input: { item: 'chair' } }));
    expect(history.recorded).toMatchObject([
      { type: 'EchoRequested', data: { stepId: 'quote#1', input: { item: 'chair' } } },
      { type: 'EchoCompleted' },
      { type: 'PriceChecked', data: { price: 5 } },
      { type: 'SignalAwaited', data: { stepId: 'approval', signal: 'approve', afterMs: 86_400_000 } },
    ]);
    history.signal('approval', 'yes');
    expect(history.end).toEqual({
      status: 'completed',
      result: { item: 'chair', price: 5, decision: 'yes' },
    });
  });

  it('ends an await that times out as a timer with its id', () => {
    const history = RunHistory.of(purchase, { input: { item: 'chair' }, activities });
    history.answer('quote#1', echoed({ input: 1 })).fire('approval');
    expect(history.end).toMatchObject({ result: { decision: 'timeout' } });
  });

  it('ends as failed with what the rules say', () => {
    const history = RunHistory.of(purchase, { input: { item: 'chair' }, activities });
    history.answer('quote#1', failed('network'));
    expect(history.end).toEqual({
      status: 'failed',
      failure: { kind: 'no-quote', message: 'No quote came' },
    });
  });
});

describe('steps', () => {
  it('are opened together, in the order of the answer, and once each', () => {
    const history = play((events) =>
      count(events, 'EchoCompleted') < 2
        ? [call('a'), { do: 'timer', id: 't', afterMs: 5 }, call('b')]
        : [{ do: 'end', result: 'done' }],
    );
    expect([...history.open.keys()]).toEqual(['a', 't', 'b']);
    history.answer('b', echoed({})).answer('a', echoed({}));
    expect(types(history)).toEqual([
      'EchoRequested',
      'TimerStarted',
      'EchoRequested',
      'EchoCompleted',
      'EchoCompleted',
      'StepCancelled',
      'WorkflowEnded',
    ]);
  });

  it('wait to end until no call is open', () => {
    const history = play((events) =>
      count(events, 'TimerFired')
        ? [{ do: 'end', result: 'done' }]
        : [call('a'), { do: 'timer', id: 't', afterMs: 5 }],
    );
    history.fire('t');
    expect(history.end).toBeUndefined();
    history.answer('a', echoed({}));
    expect(history.end).toEqual(done);
  });

  it('of a child stay open after they are cancelled, until the child has ended', () => {
    const child = { do: 'child', id: 'c', workflow: 'other', input: 1 } as const;
    const history = play((events) =>
      count(events, 'ChildEnded')
        ? [{ do: 'end', result: 'done' }]
        : [child, ...(count(events, 'TimerFired') ? [{ do: 'cancel', id: 'c' } as const] : []), timer('t')],
    );
    history.fire('t');
    expect(types(history)).toEqual(['ChildStarted', 'TimerStarted', 'TimerFired', 'StepCancelled']);
    history.endChild('c', { status: 'cancelled' });
    expect(history.end).toEqual(done);
  });

  it.each(['a', 'b'])('of a call that is not open take no second outcome (%s)', (stepId) => {
    const history = play(() => [call('a')]);
    history.answer('a', echoed({}));
    expect(() => history.answer(stepId, echoed({}))).toThrow(`No call ${stepId} is open.`);
  });

  it.each([
    [-1e308, 0],
    [0.5, 1],
    [2_592_000_000, 2_592_000_000],
    [8.64e15, Infinity],
    [1e308, Infinity],
  ])('of a timer after %d ms are due after %d: whole milliseconds, up to the year 9999', (afterMs, dueMs) => {
    const { run } = play(() => [{ do: 'timer', id: 't', afterMs }]);
    const startedAt = Date.parse(run.start.occurredAt);
    expect(dueAtOf(run.steps, 't')).toBe(startedAt + dueMs);
  });

  it('of a timer with an instant are due then, however late the timer was recorded', () => {
    const until = '2026-01-02T03:04:05.5+02:00';
    const { run } = play(() => [{ do: 'timer', id: 't', afterMs: 1, until }]);
    expect(dueAtOf(run.steps, 't')).toBe(Date.parse(until));
  });

  it('of a timer do not fire early', () => {
    const history = play(() => [timer('t')]);
    expect(() => history.take({ type: 'TimerFired', data: { stepId: 't' } })).toThrow('Nothing waits for');
  });
});

describe('the cause', () => {
  const next = (events: readonly Seen[]): readonly Step[] => [
    ...(count(events, 'Noted') < count(events, 'EchoCompleted') ? [noted(String(events.length))] : []),
    call('a'),
    call('b'),
  ];
  const record: ConstructorParameters<typeof Draft>[1] = (event, { start, steps }, causationId) => {
    const revision = steps.revision + 1;
    const about = { occurredAt: start.occurredAt, correlationId: 'c', causationId, actor: 'spec' };
    return draftEvent(event, {
      eventId: `event ${revision}`,
      stream: start.stream,
      revision,
      metadata: about,
    });
  };
  const deriving = (run: Run) => new Draft(run, record, () => true);
  const outcome = (stepId: string) => ({ type: 'EchoCompleted', data: { stepId, ...echoed({}) } });
  /** Each draft begins at the run that the one before it gives. */
  const causesOf = (run: Run, drafts: readonly ((run: Run) => Draft)[]) => {
    let at = run;
    const events = drafts.flatMap((draft) => {
      const made = draft(at);
      at = made.run;
      return made.events;
    });
    return events.map(({ type, metadata }) => [type, metadata.causationId]);
  };
  const took = (draft: Draft, ...stepIds: readonly string[]) => {
    for (const stepId of stepIds) draft.take(outcome(stepId));
    return draft;
  };
  const settled = (draft: Draft) => {
    draft.settle();
    return draft;
  };

  it.each<[string, readonly ((run: Run) => Draft)[]]>([
    ['one draft', [(run) => took(deriving(run), 'a', 'b')]],
    ['two drafts', [(run) => took(deriving(run), 'a'), (run) => took(deriving(run), 'b')]],
    [
      'a driver that derives nothing, and the next one',
      [(run) => took(new Draft(run, record), 'a'), (run) => took(settled(deriving(run)), 'b')],
    ],
  ])('of an outcome is the start, and of a derived event the last outcome: in %s', (_, drafts) => {
    const { run } = play(next);
    expect(causesOf(run, drafts)).toEqual([
      ['EchoCompleted', run.start.eventId],
      ['Noted', 'event 3'],
      ['EchoCompleted', run.start.eventId],
      ['Noted', 'event 5'],
    ]);
  });
});

describe('a cancelled run', () => {
  const asked = (events: readonly Seen[]) => count(events, 'RunCancelRequested') > 0;

  it('closes timers and awaits, waits for calls, opens nothing, keeps records and the result', () => {
    const history = play((events) =>
      asked(events)
        ? [call('late'), ...(count(events, 'Noted') ? [] : [noted('kept')]), { do: 'end', result: 'partly' }]
        : [call('a'), timer('t'), { do: 'await', id: 's', signal: 'go' }],
    );
    history.cancel('enough');
    expect([...history.open.keys()]).toEqual(['a']);
    history.answer('a', failed('interrupted'));
    expect(types(history).slice(3)).toEqual([
      'RunCancelRequested',
      'StepCancelled',
      'StepCancelled',
      'EchoFailed',
      'Noted',
      'WorkflowEnded',
    ]);
    expect(history.end).toEqual({ status: 'cancelled', result: 'partly' });
  });

  it('ends when its rules give neither record nor end', () => {
    const history = play(() => [call('a')]);
    history.cancel().answer('a', echoed({}));
    expect(history.end).toEqual({ status: 'cancelled' });
  });

  it('is not cancelled a second time', () => {
    const history = play(() => [call('a')]).cancel();
    expect(() => history.cancel()).toThrow('Nothing waits for RunCancelRequested');
  });
});

describe('rules with a mistake', () => {
  it('are stopped when a record does not change what they ask for', () => {
    expect(() => play(() => [noted('again')])).toThrow('does not change what they ask for next');
  });

  it('are stopped after 1,000 derived events in a row', () => {
    expect(() => play((events) => [noted(String(events.length))])).toThrow('more than 1000 events in a row');
  });

  it('are found when an id comes again as another step', () => {
    const next = (events: readonly Seen[]) => [call('a', String(events.length))];
    expect(() => play(next)).toThrow('step a comes again as another step');
  });

  it('may not wait for a time that JSON has no number for', () => {
    for (const endless of [Infinity, NaN]) {
      expect(() => play(() => [{ do: 'timer', id: 't', afterMs: endless }])).toThrow(
        `waits for ${endless} ms`,
      );
      const step: Step = { do: 'await', id: 'a', signal: 's', timeoutMs: endless };
      expect(() => play(() => [step])).toThrow(`waits for ${endless} ms`);
    }
  });

  it('may not cancel a call', () => {
    const next = (events: readonly Seen[]) =>
      events.length > 1 ? [call('a'), { do: 'cancel', id: 'a' } as const] : [call('a')];
    expect(() => play(next)).toThrow('a step cancels the call a');
  });

  it('are found when they answer otherwise the second time', () => {
    let asked = 0;
    expect(() => play(() => [call('a', String(asked++ > 0))])).toThrow('The history does not verify');
  });
});

it.each([
  { revision: LIMITS.events - 1, bytes: 0 },
  { revision: 1, bytes: LIMITS.bytes },
])('a run over its limits cancels what is open and fails: %j', ({ revision, bytes }) => {
  const { run } = play(() => [timer('t'), call('a')]);
  const full = { ...run, bytes, steps: { ...run.steps, revision } };
  expect(derivable(full, answerOf(full))).toEqual([
    { event: { type: 'StepCancelled', data: { stepId: 't' } } },
  ]);
  const closed = { ...full, steps: { ...full.steps, open: KeptMap.empty<OpenStep>() } };
  expect(derivable(closed, answerOf(closed))).toMatchObject([
    { event: { type: 'WorkflowEnded', data: { status: 'failed', failure: { kind: 'history-limit' } } } },
  ]);
});

function timer(id: string): Step {
  return { do: 'timer', id, afterMs: 1000 };
}
