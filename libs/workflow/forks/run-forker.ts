import {
  copiedIn,
  copiesOf,
  changedCopy,
  idInStream,
  RevisionConflict,
  StreamHistory,
  toCopyAgain,
  upToBorder,
} from '#lib/event-store';
import {
  isJsonObject,
  isRejection,
  type Json,
  type JsonObject,
  present,
  type RecordedEvent,
  refusedAt,
  type Rejection,
} from '#lib/kernel';
import { usedStream } from '../context-reference.js';
import { answerOf, WorkflowBug } from '../derive.rules.js';
import { draftEvent, toAppend } from '../draft.rules.js';
import { damagedRun, type RecordedRun, type RunLoader } from '../load-run.js';
import { MissingRules, rulesOfEnded } from '../missing-rules.js';
import { isExternal } from '../run.decider.js';
import { beforeEnd } from '../run-end.rules.js';
import { runRejections } from '../run.rejections.js';
import { bytesOf, evolveRun, type Run } from '../run.rules.js';
import type { WorkflowStarted } from '../runtime.events.js';
import { askedFacts, inputProblems } from '../start-facts.js';
import { startId } from '../start-id.js';
import type { RunRequest, StartedRun, StarterParts } from '../start-run.js';
import { ALLOWANCE } from '../unit-allowance.js';
import type { Rules } from '../workflow.js';
import type { RunEffects, RunOverrides, WorkflowForked } from './fork.events.js';

/** The request to fork a run. */
export interface RunForkRequest {
  readonly stream: string;
  /** The revision of the last event that the fork has in common with the run. */
  readonly revision: number;
  /** The id of the fork: a UUID. */
  readonly runId: string;
  /** A person, or `operator`. */
  readonly by: string;
  /** The person, if `by` is one. */
  readonly person?: string;
  readonly reason?: string;
  readonly effects: RunEffects;
  readonly overrides?: {
    /** Replaces the whole input, as if the run had begun with it. All recorded events stay. */
    readonly input?: Json;
    readonly model?: string;
    readonly modelParameters?: JsonObject;
  };
  readonly metadata: RunRequest['metadata'];
}

type Events = readonly RecordedEvent[];

/** The run up to the revision at which it is forked. */
interface Parent extends RecordedRun {
  readonly run: Run;
}

/** Facts that do not depend on the input: they are of the time at which the run began. */
const OF_START: readonly string[] = ['clock', 'seed', ALLOWANCE];

/** Facts about the models of a run. Their sources refuse models that this process cannot call. */
const OF_MODELS: readonly string[] = ['model', 'models'];

/** Forks runs. The run that is forked is read; no event is written to it. */
export class RunForker {
  constructor(
    private readonly parts: StarterParts,
    private readonly loader: Pick<RunLoader, 'recordedIn' | 'folded' | 'walked'>,
  ) {}

  streamOf({ stream, runId }: Pick<RunForkRequest, 'stream' | 'runId'>): string {
    const { streams } = this.parts.log;
    return streams.of(streams.parse(stream)?.category ?? '', runId);
  }

  /**
   * Appends the copies, and the event at which the fork continues by itself, together. A second fork with the same id changes nothing.
   * @throws DamagedRun if the record up to the revision is not the one that the rules derive
   * @throws MissingRules @throws ContextChanged @throws ContextMissing @throws AppendTooLarge @throws StoreUnavailable
   */
  async fork(request: RunForkRequest): Promise<StartedRun | Rejection> {
    const stream = this.streamOf(request);
    const parent = await this.#parent(request);
    if (isRejection(parent)) return parent;
    const changes = await this.#changes(request, parent);
    if (isRejection(changes)) return changes;
    const copies = this.#copies(request, stream, parent, changes.start);
    const run = await this.#begun(request, parent, copies);
    if (isRejection(run)) return run;
    const forked = await this.#forked(request, run, changes.overrides);
    try {
      const events = [...toCopyAgain(copies), toAppend(forked)];
      const { position } = await this.parts.log.append(stream, 'no-stream', events);
      return { stream, run: evolveRun(run, forked), position };
    } catch (error) {
      if (error instanceof RevisionConflict) return { stream };
      throw error;
    }
  }

  /** Reads the run up to the revision, and derives its record again once. */
  async #parent({ stream, revision }: RunForkRequest): Promise<Parent | Rejection> {
    const { log, activities } = this.parts;
    const all = (await log.load(stream)).events;
    const runId = idInStream(stream);
    const open = beforeEnd(all).length;
    if (revision >= open && revision < all.length) return runRejections.endedBefore(runId, revision);
    const isBorder = (event: RecordedEvent, next?: RecordedEvent) =>
      event.revision < open && (!next || isExternal(next, activities));
    const why = 'events that follow from it come after it';
    const events = upToBorder(all, revision, log.streams.withoutPrefix(stream), { isBorder, why });
    if ('rejected' in events) return events;
    const recorded = await this.loader.recordedIn(stream, events);
    if (!recorded) {
      const { workflow, version } = (events[0] as RecordedEvent<WorkflowStarted>).data;
      throw new MissingRules(stream, `workflow ${workflow}, version ${version}`);
    }
    const isWithinCopies = events.length < copiedIn(events);
    const divergence = isWithinCopies && changedCopy(all);
    if (divergence) throw damagedRun(divergence);
    const isFolded = isWithinCopies || recorded.rules === rulesOfEnded;
    const run = await (isFolded ? this.loader.folded(recorded) : this.loader.walked(recorded));
    return { ...recorded, run };
  }

  /** The changes that the fork makes. The overrides of a fork that is forked still apply. */
  async #changes({ overrides = {} }: RunForkRequest, { run, used }: Parent) {
    const { input, model, modelParameters } = overrides;
    // The budget of another input holds for the model of an earlier fork, unless this fork names its own.
    const inherited = model === undefined ? run.fork?.overrides : undefined;
    const start = input === undefined ? {} : await this.#begunWith(input, run, used, inherited);
    if (isRejection(start)) return refusedAt('/overrides/input', start);
    const models = model === undefined ? undefined : await this.#models(model, input ?? run.start.data.input);
    if (isRejection(models)) return refusedAt('/overrides/model', models);
    const refusal = input === undefined && model === undefined && (await this.#uncallable(run));
    if (refusal) return refusal;
    const changed: RunOverrides = {
      ...run.fork?.overrides,
      ...(model !== undefined && { model, models: models ?? null }),
      ...(modelParameters && { modelParameters }),
    };
    return { start, overrides: changed };
  }

  async #models(model: string, input: Json): Promise<Json | Rejection> {
    const budget = isJsonObject(input) && isJsonObject(input['budget']) ? input['budget'] : {};
    return (await this.parts.facts['models']?.({ models: [model], budget }, new StreamHistory())) ?? null;
  }

  /** The refusal of models that this process cannot call, as at the start of a run. */
  async #uncallable({ rules, start: { data }, fork }: Run): Promise<Rejection | undefined> {
    const model = fork?.overrides?.model;
    const facts =
      model === undefined
        ? await this.#facts(
            { ...rules, facts: rules.facts?.filter((name) => OF_MODELS.includes(name)) ?? [] },
            data,
          )
        : await this.#models(model, data.input);
    return isRejection(facts) ? facts : undefined;
  }

  #facts(
    rules: Pick<Rules, 'facts' | 'factsInput'>,
    { input, facts: before, owner, by, fork }: WorkflowStarted['data'],
    used = new StreamHistory(),
    overrides?: RunOverrides,
  ) {
    const start = { ...present({ owner, by, overrides }), ...(fork && { fork }) };
    return askedFacts(rules, input, { sources: this.parts.facts, used, start }, before);
  }

  async #begunWith(
    input: Json,
    { rules, start: { data } }: Run,
    used?: StreamHistory,
    inherited?: RunOverrides,
  ) {
    const { workflow, facts: before } = data;
    const problems = inputProblems(rules, input, this.parts.problemsOf);
    if (problems.length > 0) return runRejections.invalidInput(workflow, problems, '/overrides/input');
    const facts = await this.#facts(rules, { ...data, input }, used, inherited);
    if (isRejection(facts)) return facts;
    const ofStart = Object.entries(before).filter(([name]) => OF_START.includes(name));
    return { input, facts: { ...facts, ...Object.fromEntries(ofStart) } };
  }

  /** The copies of the events. A fork has no owner: no stream waits for its end. */
  #copies(
    { runId: id, by, reason }: RunForkRequest,
    stream: string,
    { events, run }: Parent,
    changed: object,
  ): Events {
    const from = this.parts.log.streams.withoutPrefix(run.start.stream);
    const { context } = run.start.data;
    const used = context && { context: { ...context, ...usedStream(run.start.data) } };
    const firstRunId = run.start.data.firstRunId ?? idInStream(run.start.stream);
    const name = { id, stream, by, ...(reason !== undefined && { reason }) };
    return copiesOf(events, from, name, (data) => {
      const { owner: _, ...started } = data as WorkflowStarted['data'];
      return { ...started, ...used, ...changed, firstRunId };
    });
  }

  /** The run up to the fork, folded from the copies. */
  async #begun({ stream, overrides }: RunForkRequest, { run: parent, ...recorded }: Parent, copies: Events) {
    const start = copies[0] as RecordedEvent<WorkflowStarted>;
    if (overrides?.input === undefined && parent.rules.asksAgain)
      return { ...parent, start, bytes: parent.bytes - bytesOf(parent.start) + bytesOf(start) };
    const other = (why: string) => runRejections.otherPast(idInStream(stream), why);
    try {
      const run = await this.loader.folded({ ...recorded, start, events: copies });
      return isEnding(run) && !isEnding(parent) ? other('it ends before that') : run;
    } catch (error) {
      if (error instanceof WorkflowBug) return other(error.message);
      throw error;
    }
  }

  async #forked(
    { runId, effects, person, metadata: given }: RunForkRequest,
    { start, steps }: Run,
    overrides: RunOverrides,
  ): Promise<RecordedEvent<WorkflowForked>> {
    const changed = Object.keys(overrides).length > 0 && { overrides };
    const who = person !== undefined && { by: person };
    const data: WorkflowForked['data'] = { runId, effects, ...who, ...changed };
    const { keyId } = start.metadata;
    const metadata = { ...given, ...(keyId !== undefined && { keyId }) };
    const digest = await this.parts.log.keys.digestOf(keyId);
    const at = { stream: start.stream, revision: steps.revision + 1, metadata };
    const eventId = startId(runId, data, metadata.occurredAt, digest);
    const forked = draftEvent({ type: 'WorkflowForked', data }, { eventId, ...at });
    return forked as RecordedEvent<WorkflowForked>;
  }
}

/** Whether the rules end the run now. */
function isEnding(run: Run): boolean {
  return answerOf(run).some((step) => step.do === 'end' || step.do === 'fail');
}
