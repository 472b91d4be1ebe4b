import type { ActivityRegistry } from './activity/activity-registry.js';
import { changedCopy, copiedIn, type Digest, idInStream, StreamHistory } from '#lib/event-store';
import { type Json, jsonText, type RecordedEvent, sameJson, sha256 } from '#lib/kernel';
import { authorDivergence } from './answer-run.js';
import { askRules, brokenRule, derivable } from './derive.rules.js';
import { checkProgress } from './draft.rules.js';
import {
  compareEvents,
  type Divergence,
  divergenceAt,
  divergenceFromError,
  locationOf,
  whileOpen,
} from './divergence.js';
import { evolveSteps, isExternal, mayRecord } from './run.decider.js';
import { beginRun, contextOf, evolveRun, type Run } from './run.rules.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { WorkflowForked } from './forks/fork.events.js';
import { isForked } from './forks/forked-run.rules.js';
import { forkDivergence, startDivergence } from './start-id.js';
import { NotDerived } from './unit-allowance.js';
import type { Step, Workflow } from './workflow.js';
import { hasHelpers } from './workflow-registry.js';

/** The result of deriving one history again. */
export interface Verification {
  /** Events that pure code derived again, equal in type and data. */
  readonly derived: number;
  /** Events taken from the record. */
  readonly external: number;
  /** External events whose outcomes were computed again and compared. */
  readonly recomputed?: number;
  /**
   * Events that were taken as they are recorded: outcomes that another build computed or that could not be computed again in time, and the events of
   * a run after it takes more than an allowance that it was not granted.
   */
  readonly notRecomputed?: number;
  /** Whether the history has not ended yet. */
  readonly open: boolean;
  /** The first difference; later events are not compared. */
  readonly divergence?: Divergence;
}

/**
 * Walks a history and asks the rules after every event. The events that a fork has copied are checked against their hash only. A derived event must
 * be one that could be recorded next. An external event must answer an open step, and its data must pass the activity's own checks. If an operator
 * gave the run up, no further event is checked. Never throws: an event that pure code cannot work with is a divergence.
 * @param used the stream that the start event refers to, up to the revision it names
 * @param digest that of the run's subject
 */
export function verifyRun(
  workflow: Workflow,
  activities: ActivityRegistry,
  events: readonly RecordedEvent[],
  used?: StreamHistory,
  digest?: Digest,
): Verification {
  const walk = new RunWalk(workflow, activities, used, digest);
  for (const event of events) walk.take(event);
  return walk.verification;
}

/** `verifyRun`, one event after the other. */
export class RunWalk {
  #run: Run | undefined;
  #derived = 0;
  #external = 0;
  #givenUp = false;
  #notDerived = 0;
  #divergence: Divergence | undefined;
  #answer: readonly Step[] = [];
  /** The steps that were opened, by id. */
  readonly #opened = new Map<string, Step>();
  /** The copied events of a fork, until all of them were taken. */
  #copies: RecordedEvent[] = [];
  /** All copied events were taken: the fork continues by itself with the next event. */
  #isForking = false;

  constructor(
    private readonly workflow: Pick<Workflow, 'versions'>,
    private readonly activities: ActivityRegistry,
    private readonly used = new StreamHistory(),
    private readonly digest?: Digest,
  ) {}

  /** Folded up to the divergence, if there is one. */
  get run(): Run | undefined {
    return this.#run;
  }

  get verification(): Verification {
    const counts = { derived: this.#derived, external: this.#external };
    const divergence = this.#divergence ?? this.#missingCopy();
    if (divergence) return { ...counts, open: false, divergence };
    const notDerived = this.#notDerived > 0 && { notRecomputed: this.#notDerived };
    return { open: this.#run?.steps.end === undefined, ...counts, ...notDerived };
  }

  take(event: RecordedEvent): void {
    if (this.#divergence || this.#givenUp) return;
    if (this.#notDerived > 0) return this.#takeNotDerived(event);
    const open = this.#run?.steps.open;
    const divergence = this.#compare(event);
    if (divergence) this.#divergence = whileOpen(divergence, open);
  }

  #compare(event: RecordedEvent): Divergence | undefined {
    try {
      if (this.#run) return this.#advance(event, this.#run);
      const [first = event] = this.#copies;
      return copiedIn([first]) > 0 ? this.#copy(event) : this.#begin(event);
    } catch (error) {
      if (!(error instanceof NotDerived)) return divergenceFromError(event, error);
      this.#notDerived++;
      return undefined;
    }
  }

  /** Counts the event. Only whether the run is open is still followed. */
  #takeNotDerived(event: RecordedEvent): void {
    this.#notDerived++;
    if (this.#run) this.#run = { ...this.#run, steps: evolveSteps(this.#run.steps, event, this.activities) };
  }

  #begin(start: RecordedEvent): Divergence | undefined {
    if (start.type !== 'WorkflowStarted') return divergenceAt(start, 'WorkflowStarted');
    const started = start as RecordedEvent<WorkflowStarted>;
    const { version, helpers } = started.data;
    const rules = this.workflow.versions[version];
    if (!rules) throw brokenRule(`version ${version} is not known`, 'Use a release that has it');
    if (!hasHelpers(helpers))
      throw brokenRule(`version ${helpers} of the helpers is not known`, 'Use a release that has it');
    const context = started.data.context && contextOf(rules, this.used);
    const divergence = startDivergence(started, this.digest) ?? contextDivergence(started, context);
    if (divergence) return divergence;
    this.#reach(beginRun(rules, this.activities, started, context));
    this.#external++;
    return undefined;
  }

  #copy(event: RecordedEvent): Divergence | undefined {
    this.#copies.push(event);
    const [start, ...others] = this.#copies as [RecordedEvent, ...RecordedEvent[]];
    if (this.#copies.length < copiedIn([start])) return undefined;
    const divergence = changedCopy(this.#copies) ?? this.#begin(start);
    if (divergence) return divergence;
    this.#external += others.length;
    this.#isForking = true;
    this.#reach(others.reduce(evolveRun, this.#run as Run));
    return undefined;
  }

  #missingCopy(): Divergence | undefined {
    const last = this.#run ? undefined : this.#copies.at(-1);
    return last && divergenceAt(last, 'copied events after it');
  }

  #goOn(event: RecordedEvent, run: Run): Divergence | undefined {
    if (!isForked(event)) return divergenceAt(event, 'WorkflowForked');
    this.#isForking = false;
    const forked = event as RecordedEvent<WorkflowForked>;
    const divergence = forkDivergence(forked, this.digest) ?? idDivergence(forked);
    if (divergence) return divergence;
    this.#opened.clear();
    this.#external++;
    this.#reach(evolveRun(run, event));
    return undefined;
  }

  #advance(event: RecordedEvent, run: Run): Divergence | undefined {
    if (this.#isForking) return this.#goOn(event, run);
    if (event.metadata.copied) return flagDivergence(event);
    if (run.steps.end) return divergenceAt(event, undefined);
    return isExternal(event, this.activities)
      ? this.#takeExternal(event, run)
      : this.#takeDerived(event, run);
  }

  #takeExternal(event: RecordedEvent, run: Run): Divergence | undefined {
    if (!mayRecord(run.steps, event, this.activities))
      return divergenceAt(event, 'an event that answers an open step');
    const forged = authorDivergence(event);
    if (forged) return forged;
    const damage = this.activities.roleOf(event)?.activity.checkIntegrity(event);
    if (damage) return { ...locationOf(event), ...damage };
    this.#external++;
    this.#givenUp = event.type === 'WorkflowGivenUp';
    this.#reach(evolveRun(run, event));
    return undefined;
  }

  #takeDerived(event: RecordedEvent, run: Run): Divergence | undefined {
    const candidates = derivable(run, this.#answer);
    const match = candidates.find((candidate) => !compareEvents(event, candidate.event));
    if (!match) return compareEvents(event, candidates[0]?.event);
    if (match.step && 'id' in match.step && match.step.do !== 'cancel') {
      this.#opened.set(match.step.id, match.step);
    }
    const before = this.#answer;
    this.#reach(evolveRun(run, event));
    checkProgress(match, before, this.#answer);
    this.#derived++;
    return undefined;
  }

  #reach(run: Run): void {
    this.#run = run;
    this.#answer = askRules(run);
    for (const step of this.#answer) {
      if (!('id' in step) || step.do === 'cancel') continue;
      const opened = this.#opened.get(step.id);
      if (opened === undefined || sameJson(opened, step)) continue;
      throw brokenRule(`step ${step.id} comes again as another step`, 'Give each step its own id');
    }
  }
}

function idDivergence(forked: RecordedEvent<WorkflowForked>): Divergence | undefined {
  const { runId: recorded } = forked.data;
  const replayed = idInStream(forked.stream);
  return recorded === replayed
    ? undefined
    : { ...locationOf(forked), pointer: '/data/runId', recorded, replayed };
}

function flagDivergence(event: RecordedEvent): Divergence {
  return { ...locationOf(event), pointer: '/metadata/copied', recorded: true, replayed: undefined };
}

function contextDivergence(start: RecordedEvent<WorkflowStarted>, context: Json | undefined) {
  const recorded = start.data.context?.sha256;
  const replayed = context === undefined ? undefined : sha256(jsonText(context));
  if (recorded === replayed) return undefined;
  return { ...locationOf(start), pointer: '/data/context/sha256', recorded, replayed };
}
