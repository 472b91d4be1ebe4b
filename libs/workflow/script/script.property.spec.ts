import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ActivityRegistry } from '../activity/activity-registry.js';
import { copiesOf } from '#lib/event-store';
import { derivedId, type Event, type Json, type RecordedEvent } from '#lib/kernel';
import { Draft, draftEvent } from '../draft.rules.js';
import { dueAtOf, type OpenStep } from '../run.decider.js';
import { beginRun, evolveRun, foldRun, type Run } from '../run.rules.js';
import type { WorkflowStarted } from '../runtime.events.js';
import { startId } from '../start-id.js';
import { type Branching, branching, scriptOf } from '../testing/branching.script.js';
import { echoActivity, echoed, failed } from '../testing/echo.activity.js';
import { verifyRun } from '../verify-run.js';
import type { Rules, Workflow } from '../workflow.js';
import { defineWorkflow } from './define-workflow.js';

const RUN_ID = '6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';
const FORK_IDS = ['0b0e4c1e-75a3-4a2f-9f0c-3a5d1e6b7c02', '1c1f5d2f-86b4-4b30-8a1d-4b6e2f7c8d13'];
const activities = new ActivityRegistry([echoActivity()]);
const workflow = defineWorkflow('branching', {
  input: {},
  events: { Noted: { version: 1 } },
  versions: { 1: ({ input }: { input: unknown }) => scriptOf(input as Branching) },
}) as Workflow;
const rules = workflow.versions[1] as Rules;

/** An event from outside: the index of the open step that it answers, and the kind of answer. */
interface Outside {
  readonly of: number;
  readonly how: 'good' | 'bad' | 'interrupted';
}
const outside: fc.Arbitrary<Outside> = fc.record({
  of: fc.nat({ max: 7 }),
  how: fc.constantFrom('good' as const, 'good' as const, 'bad' as const, 'interrupted' as const),
});

const record = (event: Event, { start, steps }: Pick<Run, 'start' | 'steps'>): RecordedEvent => {
  const revision = steps.revision + 1;
  const occurredAt = new Date(Date.UTC(2026, 0, 2) + revision * 1_000).toISOString();
  const metadata = { occurredAt, correlationId: RUN_ID, causationId: RUN_ID, actor: 'spec' };
  const eventId = derivedId(RUN_ID, `event ${revision}`);
  return draftEvent(event, { eventId, stream: start.stream, revision, metadata });
};

function startOf(input: Json): RecordedEvent<WorkflowStarted> {
  const data = { workflow: workflow.name, version: 1, input, facts: {} };
  const stream = `redial_branching-${RUN_ID}`;
  const nothing = { start: { stream }, steps: { revision: -1 } } as Run;
  return record({ type: 'WorkflowStarted', data }, nothing) as RecordedEvent<WorkflowStarted>;
}

/** The outcome of one of the open steps; `undefined` if none is open. */
function outcome({ steps }: Run, { of, how }: Outside): Event | undefined {
  const open = [...steps.open];
  const [stepId, step] = open[of % Math.max(open.length, 1)] ?? [];
  return stepId === undefined || !step ? undefined : answerTo(stepId, step, how);
}

function answerTo(stepId: string, step: OpenStep, how: Outside['how']): Event {
  if (step.kind === 'timer') return { type: 'TimerFired', data: { stepId } };
  if (step.kind === 'await')
    return { type: 'SignalReceived', data: { stepId, signal: step.signal, payload: how } };
  if (step.kind === 'child') {
    const { runId } = step;
    const end =
      how === 'good'
        ? { status: 'completed', result: 1 }
        : { status: 'failed', failure: { kind: 'x', message: 'x' } };
    return { type: 'ChildEnded', data: { stepId, runId, ...end } };
  }
  if (how === 'good')
    return {
      type: 'EchoCompleted',
      data: { stepId, ...(echoed({ input: 1 }) as { completed: object }).completed },
    };
  const { failed: data } = failed(how === 'bad' ? 'network' : 'interrupted') as { failed: object };
  return { type: 'EchoFailed', data: { stepId, ...data } };
}

/** The event, and the events that follow from it. Timers are fired at any time: the steps that follow are the same. */
function drafted(run: Run, event?: Event): Draft {
  const draft = new Draft(run, record, () => true);
  if (!event) draft.settle();
  else if (event.type !== 'TimerFired') draft.take(event);
  else {
    const due = new Date(dueAtOf(run.steps, (event.data as { stepId: string }).stepId)).toISOString();
    const late = new Draft(
      run,
      (one, at) => ({ ...record(one, at), occurredAt: due }),
      () => true,
    );
    late.take(event);
    return late;
  }
  return draft;
}

it('derives the same events with a script that is kept, one that met a conflict at each append, and one that is run again after each event', () => {
  fc.assert(
    fc.property(branching, fc.array(outside, { maxLength: 30 }), outside, (script, answers, losing) => {
      const start = startOf(script);
      const kept = drafted(beginRun(rules, activities, start));
      let [run, events] = [kept.run, [start, ...kept.events] as readonly RecordedEvent[]];
      let conflicted = drafted(beginRun(rules, activities, start)).run;
      for (const answer of answers) {
        const event = outcome(run, answer);
        if (!event) break;
        // Another process was first with another outcome: the draft is dropped.
        const lost = outcome(conflicted, losing);
        if (lost) drafted(conflicted, lost);
        const next = drafted(run, event);
        const evicted = drafted(foldRun(rules, activities, events), event);
        const raced = drafted(conflicted, event);
        expect(evicted.events).toEqual(next.events);
        expect(raced.events).toEqual(next.events);
        [run, conflicted, events] = [next.run, raced.run, [...events, ...next.events]];
      }
      const used = verifyRun(workflow, activities, events);
      expect(used.divergence).toBeUndefined();
    }),
    { numRuns: 400 },
  );
});

it('is fed each event once: a run of ten times the events takes about ten times the work', () => {
  const fedIn = (count: number) => {
    let fed = 0;
    const counting = defineWorkflow('counting', {
      input: {},
      versions: {
        1: function* () {
          for (let n = 0; n < count; n++) {
            fed++;
            yield* scriptOf({ do: 'echo' });
          }
        },
      },
    }).versions[1] as Rules;
    let draft = drafted(beginRun(counting, activities, startOf(null)));
    while (!draft.run.steps.end) draft = drafted(draft.run, outcome(draft.run, { of: 0, how: 'good' }));
    return fed;
  };
  expect([fedIn(10), fedIn(100)]).toEqual([10, 100]);
});

/** A fork of the run after its last event, as far as it gets without an answer. */
function forkOf([start, ...others]: readonly RecordedEvent[], id: string) {
  const { data, stream } = start as RecordedEvent<WorkflowStarted>;
  const firstRunId = data.firstRunId ?? RUN_ID;
  const name = { id, stream: `redial_branching-${id}`, by: 'operator' };
  const copies = copiesOf(
    [start as RecordedEvent, ...others],
    stream.replace('redial_', ''),
    name,
    (given) => ({
      ...given,
      firstRunId,
    }),
  );
  const run = foldRun(rules, activities, copies);
  const forked = { runId: id, effects: 'hold' };
  const { metadata, occurredAt, ...event } = record({ type: 'WorkflowForked', data: forked }, run);
  const eventId = startId(id, forked as never, occurredAt);
  const recorded = { ...event, metadata, occurredAt, eventId };
  const draft = drafted(evolveRun(run, recorded));
  return { run: draft.run, events: [...copies, recorded, ...draft.events] };
}

it('goes on from any border, in a fork and in a fork of that, and asks for nothing again that was closed', () => {
  fc.assert(
    fc.property(
      branching,
      fc.array(outside, { maxLength: 12 }),
      fc.array(fc.nat({ max: 12 })),
      (script, answers, forks) => {
        const start = startOf(script);
        const begun = drafted(beginRun(rules, activities, start));
        let [run, events] = [begun.run, [start, ...begun.events] as readonly RecordedEvent[]];
        const ids = [...FORK_IDS];
        const closed = new Set<string>();
        for (let at = 0; !run.steps.end; at++) {
          const id = forks.includes(at) ? ids.shift() : undefined;
          if (id !== undefined) ({ run, events } = forkOf(events, id));
          if (run.steps.end) break;
          const answer = outcome(run, answers[at] ?? { of: 0, how: 'good' });
          if (!answer) throw new Error('The run waits for nothing.');
          const { stepId } = answer.data as { stepId: string };
          expect(closed.has(stepId)).toBe(false);
          closed.add(stepId);
          const next = drafted(run, answer);
          [run, events] = [next.run, [...events, ...next.events]];
        }
        const { open, divergence } = verifyRun(workflow, activities, events);
        expect({ open, divergence }).toEqual({ open: false });
      },
    ),
    { numRuns: 400 },
  );
});
