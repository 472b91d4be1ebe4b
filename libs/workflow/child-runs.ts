import { threadTurns } from '#lib/event-store';
import {
  derivedId,
  ENGINE_ACTOR,
  inParallel,
  isRejection,
  present,
  RecentMap,
  type Rejection,
} from '#lib/kernel';
import { answerRun } from './answer-run.js';
import type { RunFork } from './forks/forked-run.rules.js';
import type { EndOfChild, EndsInHand } from './ends-in-hand.js';
import type { OpenStep } from './run.decider.js';
import { refusedStart } from './run.rejections.js';
import type { Run } from './run.rules.js';
import type { ChildEnded, Owner, RunEnd } from './runtime.events.js';
import type { RuntimeParts } from './runtime-parts.js';
import type { RunRequest, StartedRun } from './start-run.js';

type OpenChild = Extract<OpenStep, { kind: 'child' }>;
type Parent = Extract<Owner, { run: string }>;
/** The end of a child, as its parent records it. */
type End = Pick<EndOfChild, 'eventId' | 'event'>;

/** The number of runs whose open children are remembered. */
const MOST_REMEMBERED = 10_000;

/** Children of a run that are started together, so that one flush of the log has all their starts. */
const AT_ONCE = 32;

/** The children of the runs that a process drives: starts them, asks them to end, and delivers their ends to the parents. */
export class ChildRuns {
  /**
   * By parent, the open children that were started or asked to end. A parent that each of many children wakes does not start all others again.
   * The parent that was tended the longest time ago is forgotten first. Its children are then tended once more, which changes nothing.
   */
  readonly #tended = new RecentMap<Set<string>>(MOST_REMEMBERED);

  constructor(
    private readonly parts: Pick<RuntimeParts, 'log' | 'activities' | 'time'>,
    private readonly host: {
      readonly isStopping: boolean;
      startRun(request: RunRequest): Promise<StartedRun | Rejection>;
      /** The driver of a run, begun if there is none; `undefined` if this process does not drive it now. */
      driverOf(stream: string): { readonly ends: Pick<EndsInHand, 'tell'> } | undefined;
    },
  ) {}

  /** Starts the open children of a run, or asks them to end, each once. False if the process began to stop before that. */
  async tend(run: Run): Promise<boolean> {
    const hasChildren = [...run.steps.open.values()].some(({ kind }) => kind === 'child');
    if (!hasChildren && !this.#tended.has(run.runId)) return true;
    const open = openChildren(run);
    const tended = this.#tendedOf(run, open);
    const others = [...open].filter(([name]) => !tended.has(name));
    let hasFailed = false;
    const begun = await inParallel(others, AT_ONCE, async ([name, { stepId, child }]) => {
      await threadTurns.next();
      // After one failure, most often of the store, no further child is started.
      if (this.host.isStopping || hasFailed) return [];
      const refused = await this.#begin(run, stepId, child).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
      if (!refused) tended.add(name);
      return refused ? [{ name, refused }] : [];
    });
    // One after the other: they are answers in one stream. The parent's driver cannot take them, because it waits for this method.
    for (const { name, refused } of begun.flat()) {
      const { eventId, event } = refused;
      await this.#answer(run.start.stream, { eventId, metadata: this.#metadata(run) }, event);
      tended.add(name);
    }
    return tended.size === open.size;
  }

  /** The open children that were tended. The parent is forgotten once none is open. */
  #tendedOf({ runId }: Run, open: ReadonlyMap<string, unknown>): Set<string> {
    const tended = new Set([...(this.#tended.get(runId) ?? [])].filter((name) => open.has(name)));
    this.#tended.delete(runId);
    if (open.size === 0) return tended;
    this.#tended.set(runId, tended);
    return tended;
  }

  /** Starts the child, or asks it to end. A repetition changes nothing. @returns its end if its start is refused */
  async #begin(parent: Run, stepId: string, child: OpenChild): Promise<End | undefined> {
    const { runId, workflow, input, context: used } = child;
    const owner = { run: parent.runId, workflow: parent.start.data.workflow, stepId };
    const context = used && { ...used, stream: this.parts.log.streams.withPrefix(used.stream) };
    const metadata = this.#metadata(parent);
    const { by } = parent.start.data;
    const from = {
      owner,
      ...present({ context, by }),
      ...forChild(parent),
    };
    const request = { workflow, input, runId, metadata, ...from };
    const started = await this.host.startRun(request);
    if (isRejection(started)) return childEnded(stepId, runId, refusedStart(started));
    if (!child.cancelled) return undefined;
    const answer = { eventId: derivedId(runId, 'cancel'), metadata };
    await this.#answer(started.stream, answer, { type: 'RunCancelRequested', data: {} });
    return undefined;
  }

  /** Gives the end of a run to its parent. A repetition changes nothing. */
  async end({ run: parentId, workflow, stepId }: Parent, run: Run): Promise<void> {
    const parent = this.parts.log.streams.of(workflow, parentId);
    const { runId } = run;
    const { eventId, event } = childEnded(stepId, runId, run.steps.end as RunEnd);
    const metadata = this.#metadata(run);
    // When many children of one process end together, their parent records them in one append.
    const { causationId = runId } = metadata;
    const isRecorded = await this.host.driverOf(parent)?.ends.tell({ event, eventId, causationId });
    if (!isRecorded) await this.#answer(parent, { eventId, metadata }, event);
  }

  async #answer(
    stream: string,
    answer: Parameters<typeof answerRun>[3],
    event: ChildEnded | { type: 'RunCancelRequested'; data: object },
  ): Promise<void> {
    const { log, activities } = this.parts;
    await answerRun(log, activities, stream, answer, (steps) => (steps.revision < 0 ? undefined : event));
  }

  #metadata({ start }: Run): RunRequest['metadata'] {
    const { correlationId, keyId, traceparent } = start.metadata;
    const occurredAt = this.parts.time.now().toISOString();
    const trace = traceparent === undefined ? {} : { traceparent };
    const about = { correlationId, ...(keyId !== undefined && { keyId }) };
    return { occurredAt, ...about, causationId: start.eventId, actor: ENGINE_ACTOR, ...trace };
  }
}

function childEnded(stepId: string, runId: string, end: RunEnd): End {
  return {
    eventId: derivedId(runId, 'ended'),
    event: { type: 'ChildEnded', data: { stepId, runId, ...end } },
  };
}

/** A run below a fork has the fork's effects and overrides. */
function forChild({ fork, start, steps }: Run): Pick<RunRequest, 'fork' | 'forkedBy' | 'overrides'> {
  const { effects, overrides }: Partial<RunFork> = fork ?? {};
  const forkedBy = steps.creators.filter((person) => person !== start.data.by);
  return {
    ...(effects && { fork: effects }),
    ...(forkedBy.length > 0 && { forkedBy }),
    ...(overrides && { overrides }),
  };
}

/** The open children, by run id and by whether they are asked to end. */
function openChildren({ steps }: Run): ReadonlyMap<string, { stepId: string; child: OpenChild }> {
  const open = new Map<string, { stepId: string; child: OpenChild }>();
  for (const [stepId, child] of steps.open) {
    if (child.kind !== 'child') continue;
    const cancelled = child.cancelled || steps.end !== undefined;
    open.set(`${child.runId} ${cancelled}`, { stepId, child: { ...child, cancelled } });
  }
  return open;
}
