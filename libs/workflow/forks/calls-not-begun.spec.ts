import { expect, it } from '@jest/globals';
import { derivedId, type Event, type RecordedEvent } from '#lib/kernel';
import { ActivityRegistry } from '../activity/activity-registry.js';
import { answerOf } from '../derive.rules.js';
import { Draft, draftEvent } from '../draft.rules.js';
import { beginRun, evolveRun, type Run } from '../run.rules.js';
import type { WorkflowStarted } from '../runtime.events.js';
import { defineWorkflow } from '../script/define-workflow.js';
import { done } from '../script/done.script.js';
import { branched } from '../script/script.js';
import { echoActivity } from '../testing/echo.activity.js';
import type { Rules } from '../workflow.js';

const RUN_ID = '6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';
const FORK_ID = '0b0e4c1e-75a3-4a2f-9f0c-3a5d1e6b7c02';

const record = (event: Event, { start, steps }: Pick<Run, 'start' | 'steps'>): RecordedEvent => {
  const revision = steps.revision + 1;
  const metadata = {
    occurredAt: new Date(Date.UTC(2026, 0, 2) + revision * 1_000).toISOString(),
    correlationId: RUN_ID,
    causationId: RUN_ID,
    actor: 'spec',
  };
  const eventId = derivedId(RUN_ID, `event ${revision}`);
  return draftEvent(event, { eventId, stream: start.stream, revision, metadata });
};

it('a fork that holds asks for an approval of each call, of one that the run had asked for and not begun, too', () => {
  const paying = defineWorkflow('paying', {
    input: {},
    versions: {
      *1() {
        const pay = (id: string) => done({ do: 'call', id, activity: 'function', input: { input: id } });
        const scripts = ['first', 'second'].map((id) => ({ script: pay(id) }));
        yield* branched({ path: 'b', scripts, until: 'all', atMost: 2 });
      },
    },
  });
  const activities = new ActivityRegistry([echoActivity(undefined, 'function')]);
  const data = { workflow: 'paying', version: 1, input: null, facts: {} };
  const before = { start: { stream: `redial_paying-${RUN_ID}` }, steps: { revision: -1 } } as Run;
  const start = record({ type: 'WorkflowStarted', data }, before) as RecordedEvent<WorkflowStarted>;
  // The state in which no slot is free for the second call.
  const draft: Draft = new Draft(
    beginRun(paying.versions[1] as Rules, activities, start),
    record,
    () => draft.run.steps.open.size === 0,
  );
  draft.settle();
  expect([...draft.run.steps.open.keys()]).toEqual(['first']);
  const forked: Event = { type: 'WorkflowForked', data: { runId: FORK_ID, effects: 'hold' } };
  const fork = evolveRun(draft.run, record(forked, draft.run));
  expect(answerOf(fork)).toMatchObject([
    { do: 'await', signal: 'approval' },
    { do: 'await', signal: 'approval' },
  ]);
});
