import type { ActivityRegistry } from './activity/activity-registry.js';
import { type EventLog, RevisionConflict, StreamHistory } from '#lib/event-store';
import {
  type EventMetadata,
  type IdSource,
  isRejection,
  type Labels,
  present,
  type Problem,
  type RecordedEvent,
  type Rejection,
} from '#lib/kernel';
import { contextReference } from './context-reference.js';
import { draftEvent, toAppend } from './draft.rules.js';
import type { RunLoader } from './load-run.js';
import { runRejections } from './run.rejections.js';
import { beginRun, contextOf, type Run } from './run.rules.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { Rules } from './workflow.js';
import type { UsedStream } from './run-values.js';
import { askedFacts, type FactSources, inputProblems, type SchemaCheck } from './start-facts.js';
import { startId } from './start-id.js';
import { newestVersion, type WorkflowRegistry } from './workflow-registry.js';

/** The request to start a run. */
export interface RunRequest extends Pick<
  WorkflowStarted['data'],
  'workflow' | 'input' | 'owner' | 'by' | 'fork' | 'forkedBy' | 'overrides'
> {
  /** A UUID. A second start with the same id changes nothing. */
  readonly runId: string;
  /** The part of a stream that the run uses. */
  readonly context?: UsedStream;
  readonly labels?: Labels;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/** A run that was started, now or before. */
export interface StartedRun {
  readonly stream: string;
  /**
   * The run folded to its start event, if this event was stored now. Absent, like its position, if the run had been started before: then only the log
   * has its start.
   */
  readonly run?: Run;
  readonly position?: string;
}

export type Starting = Promise<StartedRun | Rejection>;

/**
 * A run as a start event would begin it. The event is not in the log yet, and another start with other facts may be stored in its place. The run is a
 * `Run` once an append has stored this event.
 */
export interface PreparedRun {
  readonly prepared: Run;
}

export interface StarterParts {
  readonly log: EventLog;
  readonly workflows: WorkflowRegistry;
  readonly activities: ActivityRegistry;
  readonly facts: FactSources;
  readonly problemsOf: SchemaCheck;
  readonly ids: IdSource;
}

/** Starts runs. */
export class RunStarter {
  constructor(
    private readonly parts: StarterParts,
    private readonly loader: Pick<RunLoader, 'used'>,
  ) {}

  /**
   * A second start with the same id changes nothing, and no change since the first one refuses it.
   * @throws ContextMissing @throws StoreUnavailable
   */
  async start(request: RunRequest): Promise<StartedRun | Rejection> {
    const { log } = this.parts;
    const stream = log.streams.of(request.workflow, request.runId);
    const start = await this.prepare(request);
    if (!isRejection(start)) return { stream, ...(await this.#append(start)) };
    const [first] = await log.store.readStream(stream, { limit: 1 });
    return first ? { stream } : start;
  }

  /**
   * The run as its start event begins it. No event is appended.
   * @param supposed the stream that the run refers to, if its events are not in the log yet
   * @throws ContextMissing @throws StoreUnavailable
   */
  async prepare(request: RunRequest, supposed?: StreamHistory): Promise<PreparedRun | Rejection> {
    const { workflows, activities, log } = this.parts;
    const workflow = workflows.named(request.workflow);
    if (!workflow) return runRejections.unknownWorkflow(request.workflow, workflows);
    const version = newestVersion(workflow);
    const rules = workflow.versions[version] as Rules;
    const problems = this.#problems(rules, request);
    if (problems.length > 0) return runRejections.invalidInput(request.workflow, problems);
    const used = request.context && (await this.loader.used(request.context, supposed));
    const { input, owner, metadata, runId, by, fork, forkedBy, overrides, labels } = request;
    const sources = this.parts.facts;
    const asked = { ...present({ owner, by, overrides }), ...(fork && { fork }) };
    const facts = await askedFacts(rules, input, {
      sources,
      used: used ?? new StreamHistory(),
      start: asked,
    });
    if (isRejection(facts)) return facts;
    const context = used && contextOf(rules, used);
    const owned = owner && this.#recorded(owner);
    const reference =
      request.context && contextReference(this.#recorded(request.context), owned, context ?? null);
    const from = present({ owner: owned, context: reference });
    const who = { ...(by !== undefined && { by }), ...(fork && { fork }), ...(forkedBy && { forkedBy }) };
    const otherwise = overrides && { overrides };
    const data = { workflow: workflow.name, version, input, facts, ...from, ...who, ...otherwise, ...labels };
    const digest = await log.keys.digestOf(metadata.keyId);
    const eventId = startId(runId, data, metadata.occurredAt, digest);
    const start = draftEvent(
      { type: 'WorkflowStarted', data },
      { eventId, stream: log.streams.of(workflow.name, runId), revision: 0, metadata },
    ) as RecordedEvent<WorkflowStarted>;
    return { prepared: beginRun(rules, activities, start, context) };
  }

  /** The problems of an input from outside. A capability whose stream asks for a run makes the input from checked events. */
  #problems(rules: Rules, { owner, input }: RunRequest): readonly Problem[] {
    return owner && 'stream' in owner ? [] : inputProblems(rules, input, this.parts.problemsOf);
  }

  /** Removes the prefix of the log: events name streams without it. */
  #recorded<Named extends object>(named: Named): Named {
    const { streams } = this.parts.log;
    return 'stream' in named ? { ...named, stream: streams.withoutPrefix(String(named.stream)) } : named;
  }

  async #append({ prepared: run }: PreparedRun): Promise<Pick<StartedRun, 'run' | 'position'>> {
    const { stream } = run.start;
    try {
      const { position } = await this.parts.log.append(stream, 'no-stream', [toAppend(run.start)]);
      return { run, position };
    } catch (error) {
      if (error instanceof RevisionConflict) return {};
      throw error;
    }
  }
}
