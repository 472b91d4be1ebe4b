import type { AnsweringPerson } from '#lib/candidates';
import type { ActivityRegistry } from './activity/activity-registry.js';
import { type EventLog, idInStream } from '#lib/event-store';
import { type Json, RecentMap, type Rejection } from '#lib/kernel';
import { type Answer, type Answered, answerRun } from './answer-run.js';
import { isDeciding, isRepeated, whyNotAnsweringWait } from './people-wait.rules.js';
import { DUE_MOVED, foldSteps, isWithoutClock, type RunSteps } from './run.decider.js';
import { runRejections } from './run.rejections.js';
import type { ClockRequested, DueMoved, RuntimeEvent, WorkflowGivenUp } from './runtime.events.js';
import type { SchemaCheck } from './start-facts.js';
import type { JsonSchema } from './run-values.js';
import type { WorkflowRegistry } from './workflow-registry.js';

/** A signal, and the await that it answers. */
export interface SignalInput {
  readonly signal: string;
  /** Names one await if several wait for the same signal. */
  readonly awaitId?: string;
  readonly payload: Json;
  /** The author of the answer: a person, or `operator`. */
  readonly by: string;
  /** The author, if they are a person. */
  readonly person?: AnsweringPerson;
  /** The only person who can answer. */
  readonly assignee?: string;
  /** The reason, where the payload has no place for it. */
  readonly reason?: string;
  /** Present for callers that do not answer waits for people. */
  readonly leaveToPeople?: boolean;
}

interface RunCommandParts {
  readonly log: EventLog;
  readonly workflows: WorkflowRegistry;
  readonly activities: ActivityRegistry;
  readonly problemsOf: SchemaCheck;
  /** Removes secrets from a value before it is recorded. */
  readonly redact: <Value extends Json>(value: Value) => Value;
}

/** The most runs whose streams are remembered, about 2 MB. */
const MOST_FOUND = 10_000;

/** Commands to a run from outside. Any process that shares the log may send them, whichever process drives the run. */
export class RunCommands {
  /** The streams of the runs that were found last. A run stays in its stream, and finding it takes one read for each workflow. */
  readonly #found = new RecentMap<string>(MOST_FOUND);

  constructor(private readonly parts: RunCommandParts) {}

  /** The stream of a run; `undefined` if no registered workflow has a run with this id. */
  async streamOf(runId: string): Promise<string | undefined> {
    const known = this.#found.get(runId);
    if (known !== undefined) return known;
    const { log, workflows } = this.parts;
    const streams = workflows.all.map(({ name }) => log.streams.of(name, runId));
    const found = await Promise.all(streams.map((stream) => log.store.readStream(stream, { limit: 1 })));
    const stream = streams.find((_, index) => found[index]?.length === 1);
    if (stream !== undefined) this.#found.set(runId, stream);
    return stream;
  }

  /** The await that a signal without an await's name reaches; `undefined` if it names one, or if not exactly one is open. */
  async awaited(
    runId: string,
    { signal, awaitId }: Pick<SignalInput, 'signal' | 'awaitId'>,
  ): Promise<{ readonly awaitId: string } | undefined> {
    const stream = awaitId === undefined ? await this.streamOf(runId) : undefined;
    if (stream === undefined) return undefined;
    const { log, activities } = this.parts;
    const { end, open } = foldSteps((await log.load(stream)).events, activities);
    const [first, ...others] = end ? [] : awaitsOf(open, signal);
    return first && others.length === 0 ? { awaitId: first.stepId } : undefined;
  }

  /** The second of two signals for one await is refused. */
  signal(runId: string, input: SignalInput, answer: Answer): Promise<Answered | Rejection> {
    return this.#answer(runId, answer, (steps) => this.#signalled(runId, input, steps));
  }

  /** Asks for the clock of a wait for people. An answer without a position means that the wait has one. */
  async requestClock(
    runId: string,
    asked: ClockRequested['data'],
    answer: Answer,
  ): Promise<Answered | Rejection> {
    const stream = await this.streamOf(runId);
    if (stream === undefined) return runRejections.unknownRun(runId);
    const { log, activities } = this.parts;
    return answerRun(log, activities, stream, answer, ({ open, cancelRequested }) => {
      const wait = open.get(asked.stepId);
      if (cancelRequested || wait?.kind !== 'await' || wait.isOver)
        return runRejections.notAwaited(runId, asked.stepId);
      return isWithoutClock(wait) ? { type: 'ClockRequested', data: asked } : undefined;
    });
  }

  /** Moves the timers of a run of clocks. An answer without a position means that the run does not await `DueMoved` yet. */
  moveDue(
    stream: string,
    moved: Omit<DueMoved['data'], 'stepId'>,
    answer: Answer,
  ): Promise<Answered | Rejection> {
    const { log, activities } = this.parts;
    return answerRun(log, activities, stream, answer, ({ end, open }) => {
      if (end) return runRejections.notRunning(idInStream(stream));
      const [awaited] = awaitsOf(open, DUE_MOVED);
      return awaited && { type: DUE_MOVED, data: { stepId: awaited.stepId, ...moved } };
    });
  }

  cancel(runId: string, reason: string | undefined, answer: Answer): Promise<Answered | Rejection> {
    const data = reason === undefined ? {} : { reason };
    return this.#answer(runId, answer, ({ end, cancelRequested }) => {
      if (end || cancelRequested) return runRejections.notRunning(runId);
      return { type: 'RunCancelRequested', data };
    });
  }

  /** Ends a run that cannot continue, as failed. It may be of an unregistered workflow. */
  giveUp(stream: string, data: WorkflowGivenUp['data'], answer: Answer): Promise<Answered | Rejection> {
    const { log, activities } = this.parts;
    return answerRun(log, activities, stream, answer, ({ end }) =>
      end ? runRejections.notRunning(idInStream(stream)) : { type: 'WorkflowGivenUp', data },
    );
  }

  async #answer(
    runId: string,
    answer: Answer,
    decide: (steps: RunSteps) => RuntimeEvent | Rejection | undefined,
  ): Promise<Answered | Rejection> {
    const stream = await this.streamOf(runId);
    if (stream === undefined) return runRejections.unknownRun(runId);
    return answerRun(this.parts.log, this.parts.activities, stream, answer, decide);
  }

  #signalled(
    runId: string,
    { signal, awaitId, payload: given, leaveToPeople, reason, ...author }: SignalInput,
    { open, end, creators }: RunSteps,
  ): RuntimeEvent | Rejection | undefined {
    if (end) return runRejections.notAwaited(runId, signal);
    const awaits = awaitsOf(open, signal).filter(({ stepId }) => (awaitId ?? stepId) === stepId);
    const [first, ...others] = awaits;
    if (!first) return runRejections.notAwaited(runId, signal);
    if (others.length > 0) {
      return runRejections.ambiguous(
        runId,
        signal,
        awaits.map(({ stepId }) => stepId),
      );
    }
    const { people, stepId, schema } = first;
    if (leaveToPeople && people) return runRejections.waitsForPerson(runId, signal);
    const { by, person, assignee } = author;
    const facts = { creators, ...(assignee !== undefined && { assignee }) };
    const refused = people && whyNotAnsweringWait(people, person, facts);
    if (refused) return refused;
    const problems = this.#problems(schema, given);
    if (problems.length > 0) return runRejections.invalidPayload(signal, problems);
    const payload = this.parts.redact(given);
    if (people && isRepeated(people, { by, payload })) return undefined;
    const type = !people || isDeciding(people, { by, payload }) ? 'SignalReceived' : 'ChoiceGiven';
    const why = reason !== undefined && { reason: this.parts.redact(reason) };
    return { type, data: { stepId, signal, payload, by, ...why } };
  }

  #problems(schema: JsonSchema | undefined, payload: Json) {
    return schema ? this.parts.problemsOf(schema, payload) : [];
  }
}

function awaitsOf(open: RunSteps['open'], signal: string) {
  return [...open].flatMap(([stepId, step]) =>
    step.kind === 'await' && !step.isOver && step.signal === signal ? [{ stepId, ...step }] : [],
  );
}
