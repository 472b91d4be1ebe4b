import type { ActivityRegistry } from '#lib/activity';
import { StreamHistory } from '#lib/event-store';
import { type Json, jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { answerOf, brokenRule, derivable } from './derive.rules.js';
import { checkProgress } from './draft.rules.js';
import {
  compareEvents,
  type Divergence,
  divergenceAt,
  divergenceFromError,
  locationOf,
} from './divergence.js';
import { isExternal, mayRecord } from './run.decider.js';
import { beginRun, contextOf, evolveRun, type Run } from './run.rules.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { Step, Workflow } from './workflow.js';

/** The result of deriving one history again. */
export interface Verification {
  /** Events that pure code derived again, equal in type and data. */
  readonly derived: number;
  /** Events taken from the record. */
  readonly external: number;
  /** Of the external events: outcomes that were computed again and compared. */
  readonly recomputed?: number;
  /** Outcomes that another build computed, or that could not be computed again in time: taken as they are recorded. */
  readonly notRecomputed?: number;
  /** Whether the history has not ended yet. */
  readonly open: boolean;
  /** The first difference; later events are not compared. */
  readonly divergence?: Divergence;
}

/**
 * Walks a history and asks the rules after every event. A derived event must be one that could be recorded next; an external
 * one must answer something open and hold what it says of itself. Where an operator gave the run up, nothing more is checked.
 * Never throws: an event that pure code cannot work with is a divergence.
 * @param used the stream that the start event refers to, up to the revision it names
 */
export function verifyRun(
  workflow: Workflow,
  activities: ActivityRegistry,
  [start, ...rest]: readonly RecordedEvent[],
  used = new StreamHistory(),
): Verification {
  if (!start) return { derived: 0, external: 0, open: true };
  const walk = new Walk(activities);
  let divergence = attempt(start, () => walk.begin(workflow, start, used));
  for (const event of rest) {
    if (divergence || walk.givenUp) break;
    divergence = attempt(event, () => walk.advance(event));
  }
  const { derived, external } = walk;
  if (divergence) return { derived, external, open: false, divergence };
  return { derived, external, open: walk.run?.steps.end === undefined };
}

class Walk {
  run?: Run;
  derived = 0;
  external = 0;
  givenUp = false;
  #answer: readonly Step[] = [];
  /** JSON text of the steps that were opened, by id. */
  readonly #opened = new Map<string, string>();

  constructor(private readonly activities: ActivityRegistry) {}

  begin(workflow: Workflow, start: RecordedEvent, used: StreamHistory) {
    if (start.type !== 'WorkflowStarted') return divergenceAt(start, 'WorkflowStarted');
    const started = start as RecordedEvent<WorkflowStarted>;
    const rules = workflow.versions[started.data.version];
    if (!rules) throw brokenRule(`version ${started.data.version} is not known`, 'Use a release that has it');
    const context = started.data.context && contextOf(rules, used);
    const divergence = contextDivergence(started, context);
    if (divergence) return divergence;
    this.#take(beginRun(rules, this.activities, started, context));
    this.external++;
    return undefined;
  }

  advance(event: RecordedEvent): Divergence | undefined {
    if (!this.run || this.run.steps.end) return divergenceAt(event, undefined);
    return isExternal(event, this.activities)
      ? this.#takeExternal(event, this.run)
      : this.#takeDerived(event, this.run);
  }

  #takeExternal(event: RecordedEvent, run: Run): Divergence | undefined {
    if (!mayRecord(run.steps, event, this.activities))
      return divergenceAt(event, 'an event that answers an open step');
    const damage = this.activities.roleOf(event)?.activity.checkIntegrity(event);
    if (damage) return { ...locationOf(event), ...damage };
    this.external++;
    this.givenUp = event.type === 'WorkflowGivenUp';
    this.#take(evolveRun(run, event));
    return undefined;
  }

  #takeDerived(event: RecordedEvent, run: Run): Divergence | undefined {
    const candidates = derivable(run, this.#answer);
    const match = candidates.find((candidate) => !compareEvents(event, candidate.event));
    if (!match) return compareEvents(event, candidates[0]?.event);
    if (match.step && 'id' in match.step && match.step.do !== 'cancel') {
      this.#opened.set(match.step.id, jsonText(match.step));
    }
    const before = this.#answer;
    const after = evolveRun(run, event);
    this.#take(after);
    checkProgress(match, before, after);
    this.derived++;
    return undefined;
  }

  #take(run: Run): void {
    this.run = run;
    this.#answer = answerOf(run);
    for (const step of this.#answer) {
      if (!('id' in step) || step.do === 'cancel') continue;
      const opened = this.#opened.get(step.id);
      if (opened === undefined || opened === jsonText(step)) continue;
      throw brokenRule(`step ${step.id} comes again as another step`, 'Give each step its own id');
    }
  }
}

function contextDivergence(start: RecordedEvent<WorkflowStarted>, context: Json | undefined) {
  const recorded = start.data.context?.sha256;
  const replayed = context === undefined ? undefined : sha256(jsonText(context));
  if (recorded === replayed) return undefined;
  return { ...locationOf(start), pointer: '/data/context/sha256', recorded, replayed };
}

function attempt(event: RecordedEvent, check: () => Divergence | undefined): Divergence | undefined {
  try {
    return check();
  } catch (error) {
    return divergenceFromError(event, error);
  }
}
