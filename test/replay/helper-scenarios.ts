import { askModel, callFunction, recordedCalls } from '#lib/call-rules';
import { replied, sampleRoute, unanswered } from '#lib/call-rules/testing';
import type { Json, RecordedEvent } from '#lib/kernel';
import { callTool } from '#lib/runs/tools';
import { tool } from '#lib/runs/tools/testing';
import {
  all,
  ALLOWANCE,
  askPerson,
  attempt,
  block,
  type Body,
  child,
  defineWorkflow,
  either,
  grantedAllowance,
  now,
  type Outcome,
  record,
  retried,
  signal,
  timer,
  uuid,
  type Verification,
  verifyRun,
  type Workflow,
} from '#lib/workflow';
import { RunHistory } from '#lib/workflow/testing';

/** A run of a script that uses one helper in each of its ways, up to its end. */
export interface HelperScenario {
  readonly helper: string;
  readonly body: Body<Json, unknown>;
  /** Everything that comes from outside, in order. */
  readonly comes: readonly ((run: RunHistory) => unknown)[];
}

/** The events of a run of a scenario. */
export interface HelperHistory {
  readonly events: readonly RecordedEvent[];
}

const answer = (id: string, outcome: Outcome) => (run: RunHistory) => run.answer(id, outcome);
const fire = (id: string) => (run: RunHistory) => run.fire(id);
const sent = (id: string, payload: Json) => (run: RunHistory) => run.signal(id, payload);

const failed = (kind: string, retryable: boolean): Outcome => {
  return { failed: { failure: { kind, message: kind, retryable, durationMs: 1 } } };
};
const result = (value: Json): Outcome => ({ completed: { result: value, durationMs: 1 } });
const found = (data: Json) => result({ success: true, message: 'ok', data });
const schema = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] };
const messages = [{ role: 'user', content: 'Is it so?' }];

export const helperScenarios: readonly HelperScenario[] = [
  {
    helper: 'askModel',
    *body() {
      const first = yield* askModel({ model: 'main', messages, backupModels: ['spare'], tools: ['find'] });
      const more = [...messages, first.message, { role: 'user', content: 'Sure?' }];
      return (yield* askModel({ model: 'main', messages: more }, { id: 'again' })).content;
    },
    comes: [
      answer('model#1#1', replied(503)),
      fire('model#1-retry#2'),
      answer('model#1#2', unanswered('interrupted')),
      answer('model#1#3', replied(500, 'no')),
      answer('model#1#4', replied(200)),
      answer('again#1', replied(200)),
    ],
  },
  {
    helper: 'callTool',
    *body() {
      const first = yield* attempt(callTool('find', { order: 1 }));
      const wrong = yield* attempt(callTool('find', { order: 'x' }));
      const paid = yield* callTool('pay', { order: 2 }, { id: 'paid' });
      return [first, 'failed' in wrong && wrong.failed.kind, paid] as Json;
    },
    comes: [
      answer('tool#1#1', failed('network', true)),
      fire('tool#1-retry#2'),
      answer('tool#1#2', found(1)),
      sent('paid-approval#1', { approved: true, arguments: { order: 3 } }),
      answer('paid#1', failed('interrupted', false)),
      sent('paid-approval#2', { approved: true }),
      answer('paid#2', found(3)),
    ],
  },
  {
    helper: 'callFunction',
    *body() {
      return yield* callFunction('quote', { item: 'chair' }, { attempts: 2 });
    },
    comes: [
      answer('function#1#1', failed('function', true)),
      fire('function#1-retry#2'),
      answer('function#1#2', failed('interrupted', true)),
      answer('function#1#3', result({ price: 5 })),
    ],
  },
  {
    helper: 'askPerson',
    *body() {
      const first = yield* askPerson({ title: 'Buy?', question: 'For 5', schema, expireIn: 'PT1H' });
      const late = yield* askPerson({
        title: 'And?',
        schema,
        expireIn: 'PT1H',
        onExpiry: { payload: { yes: false } },
      });
      return [first, late];
    },
    comes: [sent('person#1', { yes: true }), fire('person#2')],
  },
  {
    helper: 'signal',
    *body() {
      return yield* signal('paid', { schema, prompt: 'Is it paid?' });
    },
    comes: [sent('signal#1', { yes: true })],
  },
  {
    helper: 'timer',
    *body() {
      yield* timer('PT1H');
      yield* timer({ until: '2026-01-03T00:00:00Z' }, { id: 'morning' });
    },
    comes: [fire('timer#1'), fire('morning')],
  },
  {
    helper: 'child',
    *body() {
      const one = yield* child('other', { a: 1 });
      const two = yield* attempt(child('other', { a: 2 }, { context: { stream: 'session-1', revision: 3 } }));
      return [one, 'failed' in two && two.failed.message];
    },
    comes: [
      (run) => run.endChild('child#1', { status: 'completed', result: 7 }),
      (run) => run.endChild('child#2', { status: 'cancelled' }),
    ],
  },
  {
    helper: 'record',
    *body() {
      for (const text of ['one', 'one']) yield* record({ type: 'Noted', data: { text } });
    },
    comes: [],
  },
  {
    helper: 'now',
    *body() {
      yield* timer('PT1H');
      return yield* now();
    },
    comes: [fire('timer#1')],
  },
  {
    helper: 'uuid',
    *body() {
      return [yield* uuid(), yield* uuid({ id: 'order' })];
    },
    comes: [],
  },
  {
    helper: 'all',
    *body() {
      const named = yield* all({
        one: callFunction('f', 1),
        two: all([callFunction('f', 2), timer('PT1S')]),
      });
      const failing = yield* attempt(all([callFunction('f', 3), callFunction('f', 4), signal('never')]));
      return [named, 'failed' in failing && failing.failed.kind] as Json;
    },
    comes: [
      answer('all#1/two/all#1/0/function#1#1', result(2)),
      fire('all#1/two/all#1/1/timer#1'),
      answer('all#1/one/function#1#1', result(1)),
      answer('all#2/1/function#1#1', failed('function', false)),
      answer('all#2/0/function#1#1', result(3)),
    ],
  },
  {
    helper: 'either',
    *body() {
      return yield* either({ paid: signal('paid'), late: timer('PT1H'), other: child('other', null) });
    },
    comes: [
      fire('either#1/late/timer#1'),
      (run) => run.endChild('either#1/other/child#1', { status: 'cancelled' }),
    ],
  },
  {
    helper: 'attempt',
    *body() {
      const tried = yield* attempt(callFunction('f', 1));
      return 'failed' in tried ? tried.failed.stepId : tried.value;
    },
    comes: [answer('function#1#1', failed('function', false))],
  },
  {
    helper: 'block',
    *body() {
      return yield* block('offer', callFunction('f', 1));
    },
    comes: [answer('offer/function#1#1', result(1))],
  },
  {
    helper: 'retried',
    *body() {
      return yield* retried({ attempts: 3, call: (number) => callFunction('f', number) });
    },
    comes: [
      answer('retried#1/1/function#1#1', failed('function', true)),
      fire('retried#1/pause#2'),
      answer('retried#1/2/function#1#1', failed('interrupted', true)),
      answer('retried#1/2/function#1#2', failed('function', true)),
      fire('retried#1/pause#3'),
      answer('retried#1/3/function#1#1', result('done')),
    ],
  },
];

const facts = {
  [ALLOWANCE]: grantedAllowance(),
  tools: [tool('find', { maxAttempts: 2 }), tool('pay', { needsApproval: true })],
  models: { routes: ['main', 'spare'].map((id) => sampleRoute(id, { maxAttempts: 2 })), seed: 'run' },
  functions: ['f', 'quote'],
} as object as { readonly [name: string]: Json };

function workflowOf({ helper, body }: HelperScenario): Workflow {
  const uses = { tools: ['find', 'pay'], models: ['main', 'spare'] };
  const events = { Noted: { version: 1 } };
  return defineWorkflow(helper.toLowerCase(), { input: {}, uses, events, versions: { 1: body } });
}

export function playHelper(scenario: HelperScenario): HelperHistory {
  const run = RunHistory.of(workflowOf(scenario), { input: null, facts, activities: recordedCalls.all });
  for (const comes of scenario.comes) comes(run);
  if (!run.end) throw new Error(`The run of ${scenario.helper} waits for ${run.open.keys().join(', ')}.`);
  return { events: run.events };
}

export function replayHelper(scenario: HelperScenario, { events }: HelperHistory): Verification {
  return verifyRun(workflowOf(scenario), recordedCalls, events);
}
