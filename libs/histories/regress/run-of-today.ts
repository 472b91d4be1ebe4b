import { recordedCalls } from '#lib/call-rules';
import { copiedIn, type EventLog } from '#lib/event-store';
import { type Event, type Json, type RecordedEvent, RedialError } from '#lib/kernel';
import {
  type ChildEnded,
  type ChildStarted,
  contextOf,
  type Rules,
  usedStream,
  type Run,
  runAgain,
  type RunEnd,
  type WorkflowStarted,
} from '#lib/workflow';
import { changeOf, type Changes, type Location, withBodies } from './changes.js';
import type { Today } from './today.js';

/** A recorded run, with the context that its owner gives it today. */
interface RunOfToday {
  readonly recorded: readonly RecordedEvent[];
  readonly start: RecordedEvent<WorkflowStarted>;
  /** Default: the recorded context. */
  readonly context?: Json;
  readonly roundId?: string;
}

/** The end of a run today; without `end` the run needs an outcome that the record does not have. */
export interface EndOfToday {
  readonly end?: RunEnd;
}

interface Pair {
  readonly today: RecordedEvent;
  readonly recorded: RecordedEvent | undefined;
}

/** Runs recorded runs again with today's code, and keeps the first request that differs. */
export class RunsOfToday {
  constructor(
    private readonly log: EventLog,
    private readonly today: Today,
    private readonly changes: Changes,
  ) {}

  /** @returns `undefined` if the workflow is not in this process: the recorded end counts */
  async run({ recorded, start, context, roundId }: RunOfToday): Promise<EndOfToday | undefined> {
    const rules = this.today.rulesOf(start.data);
    if (!rules) {
      const missing = this.today.missingVersion(start.data);
      if (missing !== undefined) this.changes.missing ??= missing;
      return undefined;
    }
    const taken = recorded.slice(1, 1 + copiedIn([start]));
    // The record has no event to compare.
    if (recorded.length === 1 + taken.length) return {};
    const { version } = rules;
    const begun = { ...start, data: { ...start.data, version } };
    const pairs: Pair[] = [];
    // With the copied events of a fork.
    const events: RecordedEvent[] = [begun, ...taken];
    try {
      const run = await runAgain({
        rules: rules.rules,
        activities: recordedCalls,
        start: begun,
        context: context ?? (await this.#contextOf(rules.rules, start)),
        recorded: recorded.slice(1),
        outcomeOf: async (event, before) => {
          const outcome = await this.#outcomeOf(event, before, roundId);
          events.push({ ...event, ...outcome });
          return outcome;
        },
        derived: (event, counterpart) => {
          events.push(event);
          pairs.push({ today: event, recorded: counterpart });
        },
      });
      this.#note(recorded, events, pairs, roundId);
      return run.steps.end ? { end: run.steps.end } : {};
    } catch (error) {
      this.#note(recorded, events, pairs, roundId);
      return { end: failedBy(error) };
    }
  }

  /** The context from the stream that the run refers to, as recorded. */
  async #contextOf(rules: Rules, { data }: RecordedEvent<WorkflowStarted>): Promise<Json | undefined> {
    const used = usedStream(data);
    if (!used) return undefined;
    const { log } = this;
    return contextOf(
      rules,
      (await log.loadTo(log.streams.withPrefix(used.stream), used.revision)).upTo(used.revision),
    );
  }

  async #outcomeOf(recorded: RecordedEvent, run: Run, roundId: string | undefined): Promise<Event> {
    if (recorded.type !== 'ChildEnded') return this.today.outcomeOf(recorded, run);
    const { data } = recorded as RecordedEvent<ChildEnded>;
    const step = run.steps.open.get(data.stepId);
    if (step?.kind !== 'child') return recorded;
    const events = await this.log.readStream(this.log.streams.of(step.workflow, step.runId));
    const [first] = events as readonly RecordedEvent<WorkflowStarted>[];
    if (!first) return recorded;
    const start = { ...first, data: { ...first.data, input: step.input } };
    const again = await this.run({ recorded: events, start, ...(roundId !== undefined && { roundId }) });
    if (!again?.end) return recorded;
    const { stepId, runId } = data;
    return { type: 'ChildEnded', data: { stepId, runId, ...again.end } };
  }

  /** Keeps only the first differing request of a history. In a run, a difference in recorded values goes before one in digests alone. */
  #note(
    recorded: readonly RecordedEvent[],
    events: readonly RecordedEvent[],
    pairs: readonly Pair[],
    roundId: string | undefined,
  ): void {
    if (this.changes.requests) return;
    const before = withBodies(recorded);
    const after = withBodies(events);
    const found = pairs.flatMap(({ today, recorded: counterpart }) => {
      if (!isRequest(today)) return [];
      const { stream, revision } = counterpart ?? today;
      const location: Location = { stream, revision, ...(roundId !== undefined && { roundId }) };
      const recordedWhole = counterpart && before.find((event) => event.eventId === counterpart.eventId);
      const todayWhole = after.find((event) => event.eventId === today.eventId);
      return changeOf(location, recordedWhole, todayWhole) ?? [];
    });
    const [change] = [...found.filter(({ pointer }) => pointer !== ONLY_DIGEST), ...found];
    if (change) this.changes.requests = change;
  }
}

/** The digest of a function's input: two digests tell a reader nothing. */
const ONLY_DIGEST = '/data/inputSha256';

/** A request to the outside: a call, a child, or a wait for a person. */
function isRequest(event: RecordedEvent): boolean {
  if (recordedCalls.roleOf(event)?.role === 'requested') return true;
  const { type } = event as RecordedEvent<ChildStarted>;
  return type === 'ChildStarted' || event.type === 'SignalAwaited';
}

/** An error that today's code throws is a failed end of the run. */
function failedBy(error: unknown): RunEnd {
  if (!(error instanceof Error)) throw error;
  const thrown = error instanceof RedialError && error.cause instanceof Error ? error.cause : error;
  return { status: 'failed', failure: { kind: 'bug', message: thrown.message } };
}
