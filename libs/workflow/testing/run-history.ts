import type { ActivityEvent, ActivityRules, Outcome } from '../activity/activity.js';
import { ActivityRegistry } from '../activity/activity-registry.js';
import { StreamHistory, StreamNames } from '#lib/event-store';
import { derivedId, type Event, type Json, jsonText, type RecordedEvent } from '#lib/kernel';
import { contextReference } from '../context-reference.js';
import type { KeptMap } from '../kept-map.js';
import { Draft, draftEvent } from '../draft.rules.js';
import { dueAtOf, type OpenStep } from '../run.decider.js';
import { beginRun, contextOf, type Run } from '../run.rules.js';
import type { Owner, RunEnd, RuntimeEvent, WorkflowStarted } from '../runtime.events.js';
import { RunWalk, verifyRun } from '../verify-run.js';
import type { Workflow } from '../workflow.js';
import { newestVersion } from '../workflow-registry.js';

const RUN_ID = '6f5902ac-2377-4c86-9d5e-1f2f6d2a0c11';
const START = Date.UTC(2026, 0, 2, 3, 4, 5);

export interface GivenRun {
  readonly input: Json;
  readonly activities?: readonly ActivityRules[];
  readonly facts?: { readonly [name: string]: Json };
  /** The events of the stream that the run refers to, if its rules have a `contextOf`. */
  readonly contextEvents?: readonly RecordedEvent[];
  /** Default: the newest. */
  readonly version?: number;
  /** A UUID. */
  readonly runId?: string;
  readonly owner?: Owner;
  readonly fork?: WorkflowStarted['data']['fork'];
}

/**
 * A history of a workflow for its specs: given a start and events from outside, it has the events that the log would hold. It has no clock, no log
 * and no waiting. Each event is verified as a replay verifies it, and the whole history when the run ends. So rules that are not deterministic, or
 * give an id to two different steps, fail at once.
 */
export class RunHistory {
  readonly #registry: ActivityRegistry;
  readonly #start: RecordedEvent;
  readonly #after: Draft;
  readonly #walk: RunWalk;
  #walked = 0;
  #now = START;

  private constructor(
    private readonly workflow: Workflow,
    private readonly given: GivenRun,
  ) {
    const { input, facts = {}, version = newestVersion(workflow), contextEvents = [], owner, fork } = given;
    this.#registry = new ActivityRegistry(given.activities ?? []);
    const rules = workflow.versions[version];
    if (!rules) throw new Error(`The ${workflow.name} has no version ${version}.`);
    const last = contextEvents.at(-1);
    const context = last && contextOf(rules, new StreamHistory(contextEvents));
    const used = last && { ...last, stream: new StreamNames().withoutPrefix(last.stream) };
    const reference = used && contextReference(used, owner, context ?? null);
    const known = {
      workflow: workflow.name,
      version,
      input,
      facts,
      ...(owner && { owner }),
      ...(fork && { fork }),
    };
    const data = { ...known, ...(reference && { context: reference }) };
    const start = this.#record({ type: 'WorkflowStarted', data }, 0) as RecordedEvent<WorkflowStarted>;
    this.#start = start;
    this.#after = new Draft(
      beginRun(rules, this.#registry, start, context),
      (event, { steps }, causationId) => this.#record(event, steps.revision + 1, causationId),
      () => true,
    );
    this.#walk = new RunWalk(workflow, this.#registry, new StreamHistory(contextEvents));
    this.#after.settle();
    this.#verify();
  }

  static of(workflow: Workflow, given: GivenRun): RunHistory {
    return new RunHistory(workflow, given);
  }

  get events(): readonly RecordedEvent[] {
    return [this.#start, ...this.#after.events];
  }

  /** The type and data of the events after the start. */
  get recorded(): readonly Event[] {
    return this.#after.events.map(({ type, data }) => ({ type, data }));
  }

  get run(): Run {
    return this.#after.run;
  }

  get #runId(): string {
    return this.given.runId ?? RUN_ID;
  }

  get open(): KeptMap<OpenStep> {
    return this.run.steps.open;
  }

  get end(): RunEnd | undefined {
    return this.run.steps.end;
  }

  answer(stepId: string, outcome: Outcome): this {
    const call = this.#opened(stepId, 'call');
    const { events } = this.#registry.named(call.activity) as ActivityRules;
    const [type, data] =
      'completed' in outcome ? [events.completed, outcome.completed] : [events.failed, outcome.failed];
    return this.take({ type, data: { stepId, ...data } });
  }

  signal(stepId: string, payload: Json): this {
    const { signal } = this.#opened(stepId, 'await');
    return this.take({ type: 'SignalReceived', data: { stepId, signal, payload } });
  }

  /** Moves the time until this timer, or the time-out of this await, is due. */
  fire(stepId: string): this {
    this.#now = Math.max(this.#now, dueAtOf(this.run.steps, stepId));
    return this.take({ type: 'TimerFired', data: { stepId } });
  }

  endChild(stepId: string, end: RunEnd): this {
    return this.take({ type: 'ChildEnded', data: { stepId, runId: derivedId(this.#runId, stepId), ...end } });
  }

  cancel(reason?: string): this {
    return this.take({ type: 'RunCancelRequested', data: reason === undefined ? {} : { reason } });
  }

  /** @throws Error if the event answers no open step, or the history does not verify */
  take(event: RuntimeEvent | ActivityEvent): this {
    if (!this.#after.take(event)) throw new Error(`Nothing waits for ${event.type} ${jsonText(event.data)}.`);
    this.#verify();
    return this;
  }

  #verify(): void {
    const { events } = this;
    for (const event of events.slice(this.#walked)) this.#walk.take(event);
    this.#walked = events.length;
    const used = new StreamHistory(this.given.contextEvents);
    const { divergence } = this.end
      ? verifyRun(this.workflow, this.#registry, events, used)
      : this.#walk.verification;
    if (divergence) throw new Error(`The history does not verify: ${jsonText(divergence)}`);
  }

  #record(event: Event, revision: number, causationId = this.#runId): RecordedEvent {
    const occurredAt = new Date(this.#now).toISOString();
    const runId = this.#runId;
    const eventId = derivedId(runId, `event ${revision}`);
    const ids = { correlationId: runId, causationId };
    const metadata = { occurredAt, ...ids, actor: 'spec' };
    return draftEvent(event, {
      eventId,
      stream: `redial_${this.workflow.name}-${runId}`,
      revision,
      metadata,
    });
  }

  #opened<Kind extends OpenStep['kind']>(stepId: string, kind: Kind): Extract<OpenStep, { kind: Kind }> {
    const step = this.run.steps.open.get(stepId);
    if (step?.kind !== kind) throw new Error(`No ${kind} ${stepId} is open.`);
    return step as Extract<OpenStep, { kind: Kind }>;
  }
}
