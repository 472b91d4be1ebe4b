import { describe, expect, it } from '@jest/globals';
import type { OpenStep, Outcome } from '#lib/workflow';
import fc from 'fast-check';
import type { RunHistory } from '#lib/workflow/testing';
import type { ModelRoute } from './model-route.js';
import { asking, replied, unanswered } from './testing/asking.js';
import { sampleRoute } from './testing/sample-route.js';

const three = { maxAttempts: 3 };
const routes = (over: Partial<ModelRoute> = three, ...backups: readonly string[]) =>
  ['main', ...backups].map((model) => sampleRoute(model, over));

/** Answers each call in order, and moves the time where the run waits. */
function answered(history: RunHistory, ...script: readonly Outcome[]): RunHistory {
  const left = [...script];
  while (!history.end) {
    const [[stepId, step] = []] = [...history.open];
    if (stepId === undefined) throw new Error('The run waits for nothing.');
    if (step?.kind === 'timer') history.fire(stepId);
    else history.answer(stepId, left.shift() ?? unanswered('network'));
  }
  if (left.length > 0) throw new Error(`${left.length} outcomes are left.`);
  return history;
}

function dataOf(history: RunHistory, type: string): readonly Record<string, unknown>[] {
  return history.recorded.filter((event) => event.type === type).map(({ data }) => ({ ...data }));
}
const calls = (history: RunHistory) => dataOf(history, 'LlmCallRequested');
const waits = (history: RunHistory) => dataOf(history, 'TimerStarted').map(({ afterMs }) => Number(afterMs));
const fallbacks = (history: RunHistory) => dataOf(history, 'FallbackTaken');

describe('attempts', () => {
  it.each([429, 500, 502, 503, 529])('follow after HTTP %d, each a recorded call of its own', (status) => {
    const history = answered(asking({ routes: routes() }), replied(status), replied(status), replied(200));
    expect(calls(history)).toMatchObject([
      { stepId: 'ask#1', attempt: 1, provider: 'default' },
      { stepId: 'ask#2', attempt: 2 },
      { stepId: 'ask#3', attempt: 3 },
    ]);
    expect(history.end).toMatchObject({ status: 'completed', result: 'Yes.' });
  });

  it.each([400, 401, 403, 404, 408, 409, 422, 302, 501, 504])('do not follow after HTTP %d', (status) => {
    const history = answered(asking({ routes: routes() }), replied(status));
    expect(history.end).toMatchObject({ failure: { kind: 'http-error', upstreamStatus: status } });
  });

  it('follow after a network failure when no byte of a reply had come, and not after a part of one', () => {
    const before = answered(asking({ routes: routes() }), unanswered('network'), replied(200));
    expect(calls(before)).toHaveLength(2);
    const within = answered(asking({ routes: routes() }), unanswered('network', 200));
    expect(within.end).toMatchObject({ failure: { kind: 'network' } });
  });

  it.each(['timeout', 'unusable', 'internal'])('do not follow after a failure of the kind %s', (kind) => {
    expect(answered(asking({ routes: routes() }), unanswered(kind)).end).toMatchObject({ failure: { kind } });
  });

  it('do not follow after a body that is not a completion', () => {
    const history = answered(asking({ routes: routes() }), replied(200, '<html>'));
    expect(history.end).toMatchObject({ failure: { kind: 'unusable-reply' } });
  });

  it('F-65: end with the last failure once they are used up', () => {
    const failures = [replied(429, 'one'), unanswered('network'), replied(503, 'three')];
    const history = answered(asking({ routes: routes() }), ...failures);
    expect(history.end).toMatchObject({ failure: { message: 'LLM API error (503): three' } });
  });

  it('follow after an interruption at once, and are not counted: the attempts stay', () => {
    const script = [unanswered('interrupted'), replied(503), unanswered('interrupted'), replied(200)];
    const history = answered(asking({ routes: routes({ maxAttempts: 2 }) }), ...script);
    expect(calls(history)).toHaveLength(4);
    expect(waits(history)).toHaveLength(1);
    expect(history.end).toMatchObject({ status: 'completed' });
  });

  it('end at the third interruption, even when there is a backup', () => {
    const three = Array.from({ length: 3 }, () => unanswered('interrupted'));
    const history = answered(asking({ routes: routes({}, 'backup') }), ...three);
    expect(calls(history)).toHaveLength(3);
    expect(history.end).toMatchObject({ failure: { kind: 'interrupted' } });
  });
});

describe('the wait before an attempt', () => {
  const busy = (length: number) => Array.from({ length }, () => replied(500, 'busy'));

  it('is any part of half a second, doubled each time, up to half a minute', () => {
    const seeds = Array.from({ length: 40 }, (_, n) => `run ${n}`);
    const all = seeds.map((seed) =>
      waits(answered(asking({ routes: routes({ maxAttempts: 9 }), seed }), ...busy(9))),
    );
    const most = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    for (const [n, bound] of most.entries()) {
      const nth = all.map((one) => one[n] ?? NaN);
      expect(Math.max(...nth)).toBeLessThan(bound);
      expect(Math.max(...nth)).toBeGreaterThan(bound / 2);
      expect(Math.min(...nth)).toBeLessThan(bound / 2);
    }
  });

  it('follows from the ids alone', () => {
    const twice = [1, 2].map(() => waits(answered(asking({ routes: routes() }), ...busy(3))));
    expect(twice[0]).toEqual(twice[1]);
  });

  // The outcome is recorded at 03:04:05.
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, 30_000],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': '60' }, 60_000],
  ])('is what %j asks for', (headers, waitMs) => {
    const history = answered(asking({ routes: routes() }), replied(429, 'busy', headers), replied(200));
    expect(waits(history)).toEqual([waitMs]);
  });

  it.each([{ 'retry-after': '0' }, { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }])(
    'is none after %j',
    (headers) => {
      const history = answered(asking({ routes: routes() }), replied(429, 'busy', headers), replied(200));
      expect([waits(history), calls(history)]).toMatchObject([[], [{}, {}]]);
    },
  );

  it.each([{ 'retry-after': '-1' }, { 'retry-after': 'soon' }, { 'retry-after': '' }])(
    'is that of a reply without a header after %j',
    (headers) => {
      const [wait] = waits(
        answered(asking({ routes: routes() }), replied(429, 'busy', headers), replied(200)),
      );
      expect(wait).toBeLessThan(500);
    },
  );

  it.each([
    ['retry-after', '61'],
    ['retry-after-ms', '60001'],
  ])('is not waited for after %s %s: the next model is asked, or the call fails', (name, value) => {
    const busy = replied(429, 'busy', { [name]: value });
    expect(answered(asking({ routes: routes() }), busy).end).toMatchObject({ status: 'failed' });
    const history = answered(asking({ routes: routes(three, 'backup') }), busy, replied(200));
    expect(fallbacks(history)).toMatchObject([{ from: 'main', to: 'backup', upstreamStatus: 429 }]);
  });
});

describe('a backup', () => {
  it('F-65: is asked once the attempts of the model before are used up, and says so', () => {
    const ask = asking({ routes: routes({ maxAttempts: 2 }, 'second', 'third') });
    const history = answered(
      ask,
      replied(503),
      replied(503),
      unanswered('network'),
      unanswered('network'),
      replied(200),
    );
    expect(fallbacks(history)).toEqual([
      { callId: 'ask', from: 'main', to: 'second', reason: 'http-error', upstreamStatus: 503 },
      { callId: 'ask', from: 'second', to: 'third', reason: 'network' },
    ]);
    expect(calls(history).map(({ stepId, body }) => [stepId, (body as { model: string }).model])).toEqual([
      ['ask#1', 'main'],
      ['ask#2', 'main'],
      ['ask#3', 'second'],
      ['ask#4', 'second'],
      ['ask#5', 'third'],
    ]);
  });

  it.each([
    [replied(429), true],
    [replied(504), true],
    [unanswered('timeout'), true],
    [unanswered('network', 200), true],
    [replied(400), false],
    [replied(401), false],
    [replied(200, '<html>'), false],
  ])('follows on failures of the provider alone: %j', (outcome, follows) => {
    const script = follows ? [outcome, replied(200)] : [outcome];
    const history = answered(asking({ routes: routes({ maxAttempts: 1 }, 'backup') }), ...script);
    expect(fallbacks(history)).toHaveLength(follows ? 1 : 0);
  });
});

it('for any failures, asks at most what it was given, counts every outcome, and replays', () => {
  const outcome = fc.oneof(
    fc.constantFrom(200, 400, 404, 429, 500, 503, 504, 529).map((status) => replied(status)),
    fc.constantFrom('network', 'timeout', 'interrupted').map((kind) => unanswered(kind)),
    fc.constant(unanswered('network', 502)),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 2 }),
      fc.array(outcome, { minLength: 12, maxLength: 12 }),
      (maxAttempts, backups, script) => {
        const names = ['one', 'two'].slice(0, backups);
        const history = asking({ routes: routes({ maxAttempts }, ...names) });
        let made = 0;
        while (!history.end) {
          const [[stepId, step]] = [...history.open] as [[string, OpenStep]];
          if (step.kind === 'timer') history.fire(stepId);
          else history.answer(stepId, script[made++ % script.length] as Outcome);
        }
        expect(made).toBe(calls(history).length);
        expect(made).toBeLessThanOrEqual((maxAttempts + 2) * (backups + 1));
      },
    ),
    { numRuns: 100 },
  );
});
