import type { ActivityRegistry } from '#lib/activity';
import { type EventLog, RevisionConflict } from '#lib/event-store';
import {
  type EventMetadata,
  isRejection,
  type Json,
  jsonText,
  type Problem,
  type RecordedEvent,
  type Rejection,
  RedialError,
  sha256,
} from '#lib/kernel';
import { draftEvent, toAppend } from './draft-event.js';
import { contextOf } from './verify-run.js';
import { runRejections } from './run.rejections.js';
import { beginRun, evolveRun, type Run } from './run.rules.js';
import type { ContextReference, Owner, WorkflowStarted } from './runtime.events.js';
import type { FactName, JsonSchema, Rules } from './workflow.js';
import { newestVersion, type WorkflowRegistry } from './workflow-registry.js';

/** Where facts come from: asked once, when a run starts, for its input. A rejection refuses the start. */
export type FactSources = {
  readonly [name: FactName]: (input: Json) => Json | Rejection | Promise<Json | Rejection>;
};

/** Where a value does not fit a schema; nothing where it fits. */
export type SchemaCheck = (schema: JsonSchema, value: Json) => readonly Problem[];

export interface RunRequest {
  readonly workflow: string;
  readonly input: Json;
  /** A UUID. A second start with the same id changes nothing. */
  readonly runId: string;
  readonly owner?: Owner;
  /** The stream whose events the run uses, up to this revision. */
  readonly context?: Pick<ContextReference, 'stream' | 'revision'>;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

export interface StartedRun {
  readonly stream: string;
  /** Folded to its start event. */
  readonly run: Run;
  /** Of the start event; `undefined` where the run had been started before. */
  readonly position: string | undefined;
}

/** The stream that a run refers to gives another context than when the run started. */
export class ContextChanged extends RedialError {}

export interface StarterParts {
  readonly log: EventLog;
  readonly workflows: WorkflowRegistry;
  readonly activities: ActivityRegistry;
  readonly facts: FactSources;
  readonly problemsOf: SchemaCheck;
}

/** Starts runs and folds those that exist. */
export class RunStarter {
  constructor(private readonly parts: StarterParts) {}

  /** @throws StoreUnavailable */
  async start(request: RunRequest): Promise<StartedRun | Rejection> {
    const { log, workflows, activities } = this.parts;
    const workflow = workflows.named(request.workflow);
    if (!workflow) return runRejections.unknownWorkflow(request.workflow, workflows);
    const version = newestVersion(workflow);
    const rules = workflow.versions[version] as Rules;
    const problems = this.parts.problemsOf(rules.input, request.input);
    if (problems.length > 0) return runRejections.invalidInput(request.workflow, problems);
    const facts = await this.#facts(rules, request.input);
    if (isRejection(facts)) return facts;
    const context = request.context && (await this.#context(rules, request.context));
    const { input, owner, metadata, runId } = request;
    const reference = context && {
      ...this.#recorded(request.context),
      sha256: sha256(jsonText(context)),
    };
    const data = {
      workflow: workflow.name,
      version,
      input,
      facts,
      ...(owner && { owner: this.#recorded(owner) }),
    };
    const stream = log.streams.of(workflow.name, runId);
    const start = draftEvent(
      { type: 'WorkflowStarted', data: { ...data, ...(reference && { context: reference }) } },
      { eventId: runId, stream, revision: 0, metadata },
    ) as RecordedEvent<WorkflowStarted>;
    const position = await this.#append(start);
    return { stream, run: beginRun(rules, activities, start, context), position };
  }

  /**
   * The run folded to its last event; `undefined` where there is none, or this process does not have its version.
   * @throws ContextChanged @throws StoreUnavailable @throws UndecodableEvent
   */
  async load(stream: string): Promise<Run | undefined> {
    const [start, ...rest] = await this.parts.log.readStream(stream);
    if (!start || start.type !== 'WorkflowStarted') return undefined;
    const started = start as RecordedEvent<WorkflowStarted>;
    const rules = this.parts.workflows.rulesOf(started.data);
    if (!rules) return undefined;
    const { context: reference } = started.data;
    const { streams } = this.parts.log;
    const used = reference && { ...reference, stream: streams.withPrefix(reference.stream) };
    const context = used && (await this.#context(rules, used));
    if (reference && sha256(jsonText(context)) !== reference.sha256) throw contextChanged(stream, reference);
    return rest.reduce(evolveRun, beginRun(rules, this.parts.activities, started, context));
  }

  /** Events name streams without the prefix of their log. */
  #recorded<Named extends object>(named: Named): Named {
    const { streams } = this.parts.log;
    return 'stream' in named ? { ...named, stream: streams.withoutPrefix(String(named.stream)) } : named;
  }

  async #append(start: RecordedEvent): Promise<string | undefined> {
    try {
      return (await this.parts.log.append(start.stream, 'no-stream', [toAppend(start)])).position;
    } catch (error) {
      if (error instanceof RevisionConflict) return undefined;
      throw error;
    }
  }

  async #facts({ facts = [] }: Rules, input: Json): Promise<{ [name: FactName]: Json } | Rejection> {
    const found = await Promise.all(
      facts.map(async (name) => (await this.parts.facts[name]?.(input)) ?? null),
    );
    const refused = found.find(isRejection);
    if (refused) return refused;
    return Object.fromEntries(facts.map((name, index) => [name, found[index] as Json]));
  }

  async #context(
    rules: Rules,
    { stream, revision }: Pick<ContextReference, 'stream' | 'revision'>,
  ): Promise<Json> {
    return contextOf(rules, await this.parts.log.readStream(stream, { limit: revision + 1 }));
  }
}

function contextChanged(stream: string, { stream: other, revision }: ContextReference): ContextChanged {
  return new ContextChanged(
    `run ${stream}`,
    `${other} up to revision ${revision} gives another context than when the run started`,
    'Run the release that started it, or look for damage with `redial replay`',
  );
}
