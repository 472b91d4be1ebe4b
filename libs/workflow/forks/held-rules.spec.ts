import { describe, expect, it } from '@jest/globals';
import { copiesOf, idInStream } from '#lib/event-store';
import { derivedId, type Event, type RecordedEvent } from '#lib/kernel';
import { ActivityRegistry } from '../activity/activity-registry.js';
import { Draft, draftEvent } from '../draft.rules.js';
import { foldRun, type Run } from '../run.rules.js';
import { startId } from '../start-id.js';
import { echoActivity, echoed } from '../testing/echo.activity.js';
import { RunHistory } from '../testing/run-history.js';
import { verifyRun } from '../verify-run.js';
import type { Rules, Workflow } from '../workflow.js';
import type { RunEffects } from './fork.events.js';

type Types = readonly string[];

/** Rules without a script. They give both calls while an outcome is missing, and end with the types of the events that they got. */
const rules: Rules<Types> = {
  input: {},
  initialState: () => [],
  evolve: (types, { type }) => [...types, type],
  next: (types) => {
    if (types.filter((type) => type === 'FunctionCompleted').length === 2)
      return [{ do: 'end', result: types }];
    return ['first', 'second'].map((id) => ({ do: 'call', id, activity: 'function', input: { fnName: id } }));
  },
};
const paying: Workflow<Types> = { name: 'paying', versions: { 1: rules } };
const activity = echoActivity(undefined, 'function');
const activities = new ActivityRegistry([activity]);
const paid = echoed({ input: 'paid' });
const completed = (stepId: string): Event => ({
  type: 'FunctionCompleted',
  data: { stepId, ...(paid as { completed: object }).completed },
});

/** A fork of a run, at its last event. */
class Fork {
  readonly #id: string;
  readonly #draft: Draft;
  readonly #copies: readonly RecordedEvent[];
  readonly #forked: RecordedEvent;

  constructor(events: readonly RecordedEvent[], effects: RunEffects) {
    const [{ stream: parent }] = events as readonly [RecordedEvent];
    this.#id = derivedId(idInStream(parent), 'fork');
    const stream = `redial_paying-${this.#id}`;
    const from = parent.replace('redial_', '');
    this.#copies = copiesOf(events, from, { id: this.#id, stream, by: 'operator' }, (data) => data);
    const run = foldRun(rules, activities, this.#copies);
    const data = { runId: this.#id, effects };
    this.#forked = this.#record({ type: 'WorkflowForked', data }, run, startId(this.#id, data, at(run)));
    this.#draft = new Draft(
      foldRun(rules, activities, [...this.#copies, this.#forked]),
      (event, then) => this.#record(event, then),
      () => true,
    );
    this.#draft.settle();
  }

  get events(): readonly RecordedEvent[] {
    return [...this.#copies, this.#forked, ...this.#draft.events];
  }

  get open(): readonly string[] {
    return this.#draft.run.steps.open.keys();
  }

  take(event: Event): this {
    expect(this.#draft.take(event)).toBe(true);
    return this;
  }

  approve(stepId: string): this {
    const payload = { approved: true };
    return this.take({ type: 'SignalReceived', data: { stepId, signal: 'approval', payload } });
  }

  get end() {
    expect(verifyRun(paying, activities, this.events).divergence).toBeUndefined();
    return this.#draft.run.steps.end;
  }

  #record(event: Event, run: Run, eventId = derivedId(this.#id, `event ${run.steps.revision}`)) {
    const metadata = {
      occurredAt: at(run),
      correlationId: this.#id,
      causationId: this.#id,
      actor: 'spec',
    };
    const { stream } = run.start;
    return draftEvent(event, { eventId, stream, revision: run.steps.revision + 1, metadata });
  }
}

function at({ steps }: Run): string {
  return new Date(Date.UTC(2026, 0, 3) + steps.revision * 1_000).toISOString();
}

describe('a fork of rules that are no script', () => {
  const once = ['FunctionRequested', 'FunctionRequested', 'FunctionCompleted'];
  const begun = () =>
    RunHistory.of(paying, { input: {}, activities: [activity] }).answer('first', paid).events;

  it('holds a call that was open, and none that was made before', () => {
    const fork = new Fork(begun(), 'hold');
    expect(fork.open).toEqual(['second#hold@4']);
    fork.approve('second#hold@4').take(completed('second'));
    const told = [...once, 'WorkflowForked', 'FunctionRequested', 'FunctionCompleted'];
    expect(fork.end).toMatchObject({ status: 'completed', result: told });
  });

  it('that is forked while it holds a call asks for an approval of its own alone', () => {
    const fork = new Fork(new Fork(begun(), 'hold').events, 'hold');
    expect(fork.open).toEqual(['second#hold@6']);
    expect(fork.approve('second#hold@6').open).toEqual(['second']);
    expect(fork.take(completed('second')).end).toMatchObject({ status: 'completed' });
  });

  it('makes the call that the fork before it held, if it allows effects, and its rules are told of no wait', () => {
    const fork = new Fork(new Fork(begun(), 'hold').events, 'allow');
    expect(fork.open).toEqual(['second']);
    const forks = ['WorkflowForked', 'WorkflowForked'];
    const told = [...once, ...forks, 'FunctionRequested', 'FunctionCompleted'];
    expect(fork.take(completed('second')).end).toMatchObject({ status: 'completed', result: told });
  });
});
