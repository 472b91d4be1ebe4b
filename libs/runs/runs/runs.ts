import type { Activity, ActivityRegistry } from '#lib/workflow';
import type { ActivityCallEvent } from '#lib/call-rules';
import { type EventLog, keyReused, ownEvents, parsePosition, StreamHistory } from '#lib/event-store';
import {
  type Clock,
  derivedId,
  isRejection,
  isSameInput,
  type Json,
  keyedId,
  type Labels,
  labelsOf,
  type RecordedEvent,
  type Rejection,
  whyKeyTaken,
} from '#lib/kernel';
import {
  type CommandContext,
  type Moment,
  type Moments,
  orRefused,
  type PastMoment,
  personOf,
  refuse,
  refuseErasedStream,
  type WrittenPosition,
} from '#lib/operations/core';
import {
  type Answer,
  type Answered,
  APPROVAL,
  foldSteps,
  peopleWait,
  type RunCommands,
  runRejections,
  type RuntimeEvent,
  type SignalInput,
  recomputeRun,
  type Verification,
  verifyRun,
  type Workflow,
  type WorkflowRegistry,
  type WorkflowRuntime,
  type WorkflowStarted,
  usedStream,
  withTimeLimit,
} from '#lib/workflow';
import { callMetadata } from './call-metadata.js';
import { labelsOfRun, lineOfRun } from './line-of-run.js';
import type { PeopleGate, ReachedWait } from './people-gate.js';
import { runView } from './run-view.js';
import type { RunView } from './run.views.js';

interface RunsParts {
  readonly log: EventLog;
  readonly workflows: WorkflowRegistry;
  readonly activities: ActivityRegistry<Activity>;
  readonly runtime: WorkflowRuntime;
  readonly commands: RunCommands;
  readonly written: WrittenPosition;
  readonly moments: Moments;
  readonly clock: Clock;
}

/** An event of a run; `type` tells them apart. A workflow adds events of its own, such as `FallbackTaken`, so a `switch` needs a `default`. */
export type RunLogEvent = RecordedEvent<RuntimeEvent | ActivityCallEvent>;

/** Runs of any workflow, for the handlers of operations. Rejections are thrown as `RejectionError`. */
export class Runs {
  constructor(private readonly parts: RunsParts) {}

  /** A run at a moment, with the runs above it, which show for whom its calls are. @throws RejectionError */
  async moment(runId: string, at: string | undefined): Promise<Moment | PastMoment> {
    const stream = await this.streamOf(runId);
    const { log, moments } = this.parts;
    const category = log.streams.parse(stream)?.category ?? '';
    const moment = await moments.of({ category, id: runId, unknown: runRejections.unknownRun(runId) }, at);
    if (moment.position === undefined) return moment;
    const line = await lineOfRun(log, stream);
    return { ...moment, ask: (names, question) => moment.askAbout(line, names, question) };
  }

  /** The runs of a moment. @throws RejectionError */
  async at(runId: string, at: string | undefined): Promise<Runs> {
    return at === undefined ? this : this.over((await this.moment(runId, at)).log);
  }

  over(log: EventLog): Runs {
    return new Runs({ ...this.parts, log });
  }

  /** The key and the tags of the stream or run that a run works for. */
  async labels(runId: string): Promise<Labels> {
    return labelsOfRun(this.parts.log, await this.streamOf(runId));
  }

  /**
   * Starts a run. A repeated call starts none and gets the same run, as does another call with the key and the body of a run.
   * @throws RejectionError `key-taken`
   */
  async start(
    { workflow, input, ...given }: Pick<WorkflowStarted['data'], 'workflow' | 'input' | keyof Labels>,
    context: CommandContext,
  ): Promise<{ readonly runId: string; readonly isNew: boolean }> {
    const { runtime, workflows } = this.parts;
    if (workflows.isInternal(workflow)) refuse(runRejections.unknownWorkflow(workflow, workflows));
    const { key } = given;
    const labels = labelsOf(given);
    const runId = key === undefined ? derivedId(context.commandId, 'run') : keyedId('run', workflow, key);
    if (key !== undefined) await context.target.bind(() => Promise.resolve({ runId }), { runId });
    const metadata = callMetadata(context, runId, this.parts.clock, given.subject);
    const by = personOf(context);
    const person = by !== undefined && { by };
    const started = orRefused(
      await runtime.startRun({ workflow, input, runId, metadata, labels, ...person }),
    );
    const [first] = started.run ? [] : await this.history(runId);
    if (!first || first.metadata.commandId === context.commandId) return { runId, isNew: true };
    const { data } = first as RecordedEvent<WorkflowStarted>;
    const before = { input: data.input, ...labelsOf(data) };
    const taken = whyKeyTaken('run', runId, { input, ...labels }, before);
    return taken ? refuse(taken) : { runId, isNew: false };
  }

  /** The run right after the event of this call, also for a repeated call. */
  async after(context: CommandContext, runId: string): Promise<RunView> {
    const history = await this.history(runId);
    const index = history.findIndex(({ metadata }) => metadata.commandId === context.commandId);
    const event = history[index];
    if (event && !isSameInput(context.fingerprint, event.metadata.commandFingerprint)) refuse(keyReused());
    return this.#view(runId, event ? history.slice(0, index + 1) : history, context);
  }

  /** The run once it has ended or waits for a person, after this time, or at a stop. @throws RuntimeStopped after a stop @throws StoreUnavailable */
  async settled(runId: string, waitMs: number, context: CommandContext): Promise<RunView> {
    const view = await this.now(runId, context);
    if (waitMs === 0 || view.status !== 'running') return view;
    const { log, runtime } = this.parts;
    runtime.stopped.throwIfAborted();
    const head = await log.store.head();
    const from = head === undefined ? undefined : parsePosition(log.store.logId, head);
    const stream = await this.streamOf(runId);
    return withTimeLimit(runtime.stopped, waitMs, async (over) => {
      for await (const batch of log.store.subscribe(from, over)) {
        // At the first empty batch, the state from before the subscription is read once.
        if (batch.length > 0 && !batch.some((event) => event.stream === stream)) continue;
        const next = await this.now(runId, context);
        if (next.status !== 'running') return next;
      }
      return this.now(runId, context);
    });
  }

  async now(runId: string, context: CommandContext): Promise<RunView> {
    return this.#view(runId, await this.history(runId), context);
  }

  /** Sends a signal to the await that it names, else to the only one that waits for it. @returns the run right after it */
  async signal(
    runId: string,
    input: SignalInput,
    context: CommandContext,
    gate: PeopleGate,
  ): Promise<RunView> {
    await this.#refuseInternal(runId);
    const awaited = await context.target.bind(() => this.awaited(runId, input), { awaitId: input.awaitId });
    return this.signalOwned(runId, { ...input, ...awaited }, context, gate);
  }

  /** `signal` for the capability that the run works for. An answer to a wait for people passes the gate first. */
  async signalOwned(
    runId: string,
    input: SignalInput,
    context: CommandContext,
    gate: PeopleGate,
  ): Promise<RunView> {
    const wait = context.leaveToPeople ? undefined : await this.#waitOf(runId, input, context);
    const admitted = wait && (await gate.admit(wait, context));
    const named = { ...input, ...admitted };
    return this.answerOwned(runId, (commands, answer) => commands.signal(runId, named, answer), context);
  }

  /**
   * The wait for people that a signal reaches, even if it is over: its task decides whether the answer is too late. `undefined` for a repeated call,
   * and if several waits are open.
   */
  async #waitOf(
    runId: string,
    { signal, awaitId }: SignalInput,
    { commandId }: CommandContext,
  ): Promise<ReachedWait | undefined> {
    const history = await this.history(runId);
    if (history.some(({ metadata }) => metadata.commandId === commandId)) return undefined;
    const { open } = foldSteps(history, this.parts.activities);
    const waits = ownEvents(history)
      .filter((event) => event.type === 'SignalAwaited')
      .filter(({ data }) => data.signal === signal && data.stepId === (awaitId ?? data.stepId));
    const isUnclear = waits.filter(({ data }) => open.has(data.stepId)).length > 1;
    const reached = isUnclear ? undefined : waits.at(-1);
    if (!reached || !peopleWait(reached.data)) return undefined;
    const { stepId } = reached.data;
    return { runId, stepId, kind: signal === APPROVAL ? 'approval' : 'answer' };
  }

  /** The await that a signal reaches without naming one; `undefined` if it names one, or if not exactly one is open. */
  awaited(runId: string, signal: Pick<SignalInput, 'signal' | 'awaitId'>) {
    return this.parts.commands.awaited(runId, signal);
  }

  /** Sends a command, such as a cancellation. @returns the run right after it */
  async answer(
    runId: string,
    command: (commands: RunCommands, answer: Answer) => Promise<Answered | Rejection>,
    context: CommandContext,
  ): Promise<RunView> {
    await this.#refuseInternal(runId);
    return this.answerOwned(runId, command, context);
  }

  /** `answer` for the capability that the run works for. */
  async answerOwned(
    runId: string,
    command: (commands: RunCommands, answer: Answer) => Promise<Answered | Rejection>,
    context: CommandContext,
  ): Promise<RunView> {
    await refuseErasedStream(this.parts.log, await this.streamOf(runId), context);
    const answered = await command(this.parts.commands, {
      metadata: callMetadata(context, runId, this.parts.clock),
    });
    return isRejection(answered) ? refuse(answered) : this.after(context, runId);
  }

  /** Derives the run again from its record and compares. */
  async verify(runId: string): Promise<Verification> {
    const history = await this.history(runId);
    const [start] = history as readonly RecordedEvent<WorkflowStarted>[];
    const { log, workflows, activities } = this.parts;
    const context = start && usedStream(start.data);
    const read =
      context &&
      (await log.readStream(log.streams.withPrefix(context.stream), { limit: context.revision + 1 }));
    const used = new StreamHistory(read);
    const workflow = workflows.named(start?.data.workflow ?? '') as Workflow;
    const digest = await log.keys.digestOf(start?.metadata.keyId);
    return recomputeRun(verifyRun(workflow, activities, history, used, digest), activities, history);
  }

  async history(runId: string): Promise<readonly RunLogEvent[]> {
    return this.parts.log.readStream(await this.streamOf(runId));
  }

  /** The revisions of the run's events from one on. */
  async revisions(runId: string, from: number, limit: number): Promise<readonly number[]> {
    const stream = await this.streamOf(runId);
    const [last] = await this.parts.log.store.readStream(stream, { direction: 'backwards', limit: 1 });
    const count = Math.min(limit, (last?.revision ?? -1) + 1 - from);
    return Array.from({ length: Math.max(0, count) }, (_, index) => from + index);
  }

  /** The run's events from a revision on, each read when it is taken. */
  async *each(runId: string, from?: number, limit?: number): AsyncGenerator<RunLogEvent> {
    yield* this.parts.log.each(await this.streamOf(runId), from, limit);
  }

  /** One of the run's events; none if the stream is another one. */
  async *named(runId: string, at: { stream: string; revision: number }): AsyncGenerator<RunLogEvent> {
    if ((await this.streamOf(runId)) === at.stream) yield* this.each(runId, at.revision, 1);
  }

  /** @throws RejectionError `unknown-run` */
  async streamOf(runId: string): Promise<string> {
    return (await this.parts.commands.streamOf(runId)) ?? refuse(runRejections.unknownRun(runId));
  }

  async #view(runId: string, history: readonly RecordedEvent[], context: CommandContext): Promise<RunView> {
    const last = history.at(-1);
    context.written.note(last?.position);
    this.parts.written.note(last?.position);
    const view = runView(runId, history, this.parts.activities) ?? refuse(runRejections.unknownRun(runId));
    context.about.note(view.subject);
    if (this.parts.workflows.isInternal(view.workflow)) view.isInternal = true;
    if (view.result !== undefined) view.result = await this.#wholeResult(history, view.result);
    return view;
  }

  /** The whole result of a run that has ended, so that its stream is its history. @throws ContextChanged @throws ContextMissing */
  async #wholeResult([start]: readonly RecordedEvent[], recorded: Json): Promise<Json> {
    const { workflows, runtime } = this.parts;
    const started = start as RecordedEvent<WorkflowStarted> | undefined;
    if (!started || !workflows.rulesOf(started.data)?.wholeResult) return recorded;
    const run = await runtime.load(started.stream);
    return run?.rules.wholeResult?.(run.state, recorded) ?? recorded;
  }

  async #refuseInternal(runId: string): Promise<void> {
    const name = this.parts.log.streams.parse(await this.streamOf(runId))?.category ?? '';
    if (this.parts.workflows.isInternal(name)) refuse(runRejections.internalRun(runId, name));
  }
}
