import { setImmediate } from 'node:timers/promises';
import type { ActivityRegistry } from './activity/activity-registry.js';
import { ERASED, type EventLog, type StreamHistory } from '#lib/event-store';
import { jsonText, type RecordedEvent, RedialError, sha256 } from '#lib/kernel';
import { usedStream } from './context-reference.js';
import { type Divergence, divergenceAt } from './divergence.js';
import { MissingRules, rulesOfEnded } from './missing-rules.js';
import { endOfRun } from './run-end.rules.js';
import { beginRun, contextOf, evolveRun, type Run } from './run.rules.js';
import type { WorkflowStarted } from './runtime.events.js';
import { RunWalk } from './verify-run.js';
import { answerOf } from './derive.rules.js';
import type { Rules } from './workflow.js';
import type { UsedStream } from './run-values.js';
import { hasHelpers, type WorkflowRegistry } from './workflow-registry.js';

/** The stream that a run refers to gives another context than at the start of the run. */
export class ContextChanged extends RedialError {}

/** The stream that a run refers to is shorter than the reference says. */
class ContextMissing extends RedialError {}

/** Content of a run is erased. Its record is complete, but no event can be derived from it. */
class ErasedRun extends RedialError {
  override readonly answer = { status: 409, code: ERASED };
}

/** The record of a run is not the one that its rules derive. No event may follow from it. */
export class DamagedRun extends RedialError {
  override readonly answer = { status: 503, code: 'damaged-run' };
}

interface LoaderParts {
  readonly log: EventLog;
  readonly workflows: WorkflowRegistry;
  readonly activities: ActivityRegistry;
}

/** The events of a run, with the parts that they are folded with. */
export interface RecordedRun {
  readonly rules: Rules;
  readonly used?: StreamHistory;
  readonly start: RecordedEvent<WorkflowStarted>;
  readonly events: readonly RecordedEvent[];
}

/** The events that are folded in a row before the process may do other work. */
const PAGE = 200;

/** Folds runs from the log. */
export class RunLoader {
  constructor(private readonly parts: LoaderParts) {}

  /**
   * The run folded to its last event; `undefined` if there is no run, or if this process lacks its version and it has not ended.
   * @throws MissingRules for helpers of a newer release
   * @throws ContextChanged @throws ContextMissing @throws ErasedRun @throws DamagedRun @throws StoreUnavailable @throws UndecodableEvent
   */
  async load(stream: string): Promise<Run | undefined> {
    const recorded = await this.#recorded(stream);
    return recorded && this.#fold(recorded);
  }

  /** Folds the run from its events, without deriving them again. Rules are asked after each page, so that a script has run as far as the page. */
  async folded(recorded: RecordedRun): Promise<Run> {
    const pages = this.#pages(recorded);
    for (let page = pages.next(); ; page = pages.next()) {
      answerOf(page.value);
      if (page.done) return page.value;
      await setImmediate();
    }
  }

  /**
   * `load` for a process that continues the run: its record is derived again and compared, unless an operator gave the run up.
   * @throws DamagedRun, and as `load`
   */
  async verified(stream: string): Promise<Run | undefined> {
    const recorded = await this.#recorded(stream);
    if (!recorded || recorded.rules === rulesOfEnded) return recorded && this.#fold(recorded);
    return this.walked(recorded);
  }

  /**
   * Derives recorded events again, and lets the process do other work between pages.
   * @throws DamagedRun at the first difference @throws ErasedRun
   */
  async walked({ rules, used, start, events }: RecordedRun): Promise<Run> {
    const workflow = { versions: { [start.data.version]: rules } };
    const digest = await this.parts.log.keys.digestOf(start.metadata.keyId);
    const walk = new RunWalk(workflow, this.parts.activities, used, digest);
    for (const [at, event] of events.entries()) {
      if (at % PAGE === PAGE - 1) await setImmediate();
      walk.take(event);
    }
    const { divergence } = walk.verification;
    if (divergence) throw areErased(events) ? erasedRun(start.stream) : damagedRun(divergence);
    return walk.run as Run;
  }

  /** @throws ContextMissing */
  async used({ stream, revision }: UsedStream, supposed?: StreamHistory): Promise<StreamHistory> {
    const history = supposed ?? (await this.parts.log.loadTo(stream, revision));
    if (history.revision >= revision) return history.upTo(revision);
    throw new ContextMissing(
      `revision ${revision} of ${stream}`,
      'a run refers to it, and the stream ends before it',
      'Look for damage with `redial replay`',
    );
  }

  #fold(recorded: RecordedRun): Run {
    const pages = this.#pages(recorded);
    for (let page = pages.next(); ; page = pages.next()) if (page.done) return page.value;
  }

  *#pages({ rules, used, start, events }: RecordedRun): Generator<Run, Run> {
    const context = used && contextOf(rules, used);
    let run = beginRun(rules, this.parts.activities, start, context);
    for (let at = 1; at < events.length; at += PAGE) {
      if (at > 1) yield run;
      run = events.slice(at, at + PAGE).reduce(evolveRun, run);
    }
    return run;
  }

  async #recorded(stream: string): Promise<RecordedRun | undefined> {
    const { events } = await this.parts.log.load(stream);
    return events.length === 0 ? undefined : this.recordedIn(stream, events);
  }

  /**
   * The events of a run, or its first ones, with the parts that they are folded with; `undefined` if this process lacks its version and it has
   * not ended.
   * @throws MissingRules for helpers of a newer release
   * @throws ContextChanged @throws ContextMissing @throws ErasedRun @throws DamagedRun @throws StoreUnavailable
   */
  async recordedIn(stream: string, events: readonly RecordedEvent[]): Promise<RecordedRun | undefined> {
    const { log, workflows } = this.parts;
    const [start] = events as readonly [RecordedEvent<WorkflowStarted>];
    const isGivenUp = events.at(-1)?.type === 'WorkflowGivenUp';
    const workflow = log.streams.parse(stream)?.category;
    const isStart = start.type === 'WorkflowStarted' && start.data.workflow === workflow;
    if (!isStart && !isGivenUp) throw damagedRun(divergenceAt(start, `the start of ${workflow}`));
    const rules = isGivenUp ? undefined : workflows.rulesOf(start.data);
    if (!rules && endOfRun(events)) return { rules: rulesOfEnded, start, events };
    if (!hasHelpers(start.data.helpers))
      throw new MissingRules(stream, `helpers of scripts, version ${start.data.helpers}`);
    if (!rules) return undefined;
    const reference = usedStream(start.data);
    if (!reference) return { rules, start, events };
    const used = await this.used({ ...reference, stream: log.streams.withPrefix(reference.stream) });
    if (sha256(jsonText(contextOf(rules, used))) !== start.data.context?.sha256)
      throw areErased(used.events) ? erasedRun(stream) : contextChanged(stream, reference);
    return { rules, used, start, events };
  }
}

function areErased(events: readonly RecordedEvent[]): boolean {
  return events.some(({ metadata }) => metadata.erased);
}

function erasedRun(stream: string): ErasedRun {
  return new ErasedRun(`run ${stream}`, 'its subject was erased', 'Do nothing: the erasure ends the run');
}

function contextChanged(stream: string, { stream: other, revision }: UsedStream): ContextChanged {
  return new ContextChanged(
    `run ${stream}`,
    `${other} up to revision ${revision} gives another context than when the run started`,
    'Run the release that started it, or look for damage with `redial replay`',
  );
}

/** The error of a run whose record differs from the derived one. */
export function damagedRun({ stream, revision, type, pointer, replayed }: Divergence): DamagedRun {
  const derived = typeof replayed === 'string' ? replayed : 'nothing';
  const why =
    pointer === ''
      ? derived
      : pointer === '/type'
        ? `the rules derive ${derived}`
        : `it differs at ${pointer} from the event that the rules derive`;
  return new DamagedRun(
    `run ${stream}`,
    `${type} at revision ${revision} is not the event that belongs there: ${why}`,
    'Restore the log from a copy, or run the release that wrote it; else give the run up',
  );
}
