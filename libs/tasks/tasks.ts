import { cannotBeRead, type EventLog } from '#lib/event-store';
import { type Clock, present, type RecordedEvent } from '#lib/kernel';
import {
  childContext,
  type CommandContext,
  type CommandWriter,
  OPERATOR,
  personOf,
  refuse,
  refuseErasedStream,
  RejectionError,
} from '#lib/operations/core';
import { cannotAct, type PersonTokens } from '#lib/people/core';
import { StreamStandsStill } from '#lib/read-models';
import { type Summarized, withSummary } from '#lib/summaries';
import { changesOf } from './changed.rules.js';
import { checkBody } from './check-body.js';
import { digestOf } from './digest.js';
import { type ClockEvent, ofTasks } from './due-times/clock-events.js';
import type { Moved } from './due-times/clock.rules.js';
import { FoundTasks } from './found-tasks.js';
import { taskDecider, type TaskCommand } from './task.decider.js';
import type { TaskEvent } from './task.events.js';
import type { TaskAnswerBody, TaskFamily, TaskOwner, TaskPerson, WaitingThing } from './task.family.js';
import * as refusal from './task.rejections.js';
import type { Task } from './tasks.views.js';

/** The codes of refusals that are recorded in the stream of the task. */
const KEPT: readonly string[] = [
  'not-a-person',
  'excluded',
  'not-a-candidate',
  'answered',
  'expired',
  'withdrawn',
  'claimed',
];

/** The tasks of people, and the commands on them. Every door checks an answer here before it records it. */
export class Tasks {
  readonly #found: FoundTasks;

  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly people: PersonTokens,
    families: readonly TaskFamily[],
    private readonly clock: Clock,
  ) {
    this.#found = new FoundTasks(log, people, families, clock);
  }

  /** ISO 8601, UTC. */
  now(): string {
    return this.#found.now();
  }

  /** @throws RejectionError for an owner that has never waited */
  async view(owner: TaskOwner): Promise<Task> {
    return this.#found.shown(await this.#found.find(owner));
  }

  /** As `view`, for a list: a task that cannot be read hides no other. */
  async listed(owner: TaskOwner): Promise<Task | undefined> {
    try {
      return await this.view(owner);
    } catch (error) {
      if (cannotBeRead(error) || error instanceof StreamStandsStill) return undefined;
      throw error;
    }
  }

  /** The events of the task and of its clocks, oldest first. */
  async events(owner: TaskOwner): Promise<readonly Summarized<RecordedEvent<TaskEvent | ClockEvent>>[]> {
    const { streams } = this.log;
    const acts = await this.log.readStream<TaskEvent>(streams.of('task', owner.taskId));
    const clocks = await this.#found.familyOf(owner).clocksOf(owner);
    const timed = clocks.map((id) => this.log.readStream<ClockEvent>(streams.of('due_times', id)));
    const all = [...acts, ...(await Promise.all(timed)).flatMap(ofTasks)];
    return all.toSorted(byPosition).map(withSummary);
  }

  /** Moves the times of a task. */
  async extend(owner: TaskOwner, moved: Moved, context: CommandContext): Promise<Task> {
    await this.#noteSubject(owner, context);
    checkOpen((await this.#found.find(owner)).waiting);
    await this.#found.familyOf(owner).move(owner, moved, context);
    return this.view(owner);
  }

  /** Claims it for a while; by the same person again: for longer. */
  async claim(owner: TaskOwner, minutes: number, context: CommandContext): Promise<Task> {
    await this.#noteSubject(owner, context);
    const now = this.clock.now();
    await this.#attempted(owner, context, async () => {
      const found = await this.#found.find(owner);
      const person = (await this.#found.acting(owner, context)) ?? refuse(refusal.claimedByNobody());
      await this.#found.checkCandidate(found, person);
      checkOpen(found.waiting);
      const until = new Date(now.getTime() + minutes * 60_000).toISOString();
      const { version } = found.waiting;
      const ended = await this.#found.endedClaim(found);
      const data = { by: person.by, now: now.toISOString(), until, version, ...ended };
      await this.#send(owner, { type: 'ClaimTask', data }, context);
    });
    return this.view(owner);
  }

  /** Ends the claim: by the person who has it, or an operator. */
  async release(owner: TaskOwner, context: CommandContext): Promise<Task> {
    await this.#noteSubject(owner, context);
    const found = await this.#found.find(owner);
    const { version } = found.waiting;
    const by = personOf(context);
    const isOperator = by === undefined || (await this.people.find(by))?.role === 'operator';
    const ended = await this.#found.endedClaim(found);
    const data = { by: by ?? OPERATOR, now: this.now(), version, isOperator, ...ended };
    await this.#send(owner, { type: 'ReleaseTask', data }, context);
    return this.view(owner);
  }

  async assign(owner: TaskOwner, personId: string | null, context: CommandContext): Promise<Task> {
    await this.#noteSubject(owner, context);
    const { waiting } = await this.#found.find(owner);
    checkOpen(waiting);
    if (personId !== null && cannotAct(personId, await this.people.find(personId)))
      refuse(refusal.notAssignable(personId));
    const data = { by: personOf(context) ?? OPERATOR, personId };
    await this.#send(owner, { type: 'AssignTask', data }, context);
    return this.view(owner);
  }

  async comment(owner: TaskOwner, text: string, context: CommandContext): Promise<Task> {
    await this.#noteSubject(owner, context);
    const { waiting } = await this.#found.find(owner);
    if (waiting.status !== 'open') refuse(refusal.taskEnded());
    const data = { by: personOf(context) ?? OPERATOR, text };
    await this.#send(owner, { type: 'CommentTask', data }, context);
    return this.view(owner);
  }

  /** Refusals come in this order: the person, whether the task is open, its claim, its changes, then the problems of the body. */
  async answer(owner: TaskOwner, body: TaskAnswerBody, context: CommandContext) {
    const family = this.#found.familyOf(owner);
    await this.#noteSubject(owner, context);
    const taken = (await family.isRepeat(owner, context))
      ? await family.answered(owner, context)
      : await this.#attempted(owner, context, () => this.#answer(owner, body, context));
    return { task: await this.view(owner), ...taken };
  }

  /**
   * Checks an answer that comes by another door, such as an arbitration, by the same rules.
   * @returns the person, and the only one who can answer, if there is one
   * @throws RejectionError
   */
  async checkAnswer(owner: TaskOwner, person: TaskPerson | undefined, context: CommandContext) {
    return this.#attempted(owner, context, async () => {
      const acted = await this.#found.acted(owner);
      const assignee = await this.#found.checkCandidate(acted, person);
      const waiting = await this.#found.familyOf(owner).taskOf(owner);
      if (waiting?.status === 'expired') refuse(refusal.taskGone('expired'));
      if (waiting?.status === 'open') await this.#found.checkClaim(acted, waiting, person);
      return assignee;
    });
  }

  /** As `checkAnswer`, for the person of the call. */
  async admit(owner: TaskOwner, context: CommandContext) {
    const person = await this.#found.acting(owner, context);
    const assignee = await this.checkAnswer(owner, person, context);
    return present({ person, assignee });
  }

  async #answer(owner: TaskOwner, body: TaskAnswerBody, context: CommandContext) {
    const found = await this.#found.find(owner);
    const { waiting } = found;
    const person = await this.#found.acting(owner, context);
    const assignee = await this.#found.checkCandidate(found, person);
    checkOpen(waiting);
    await this.#found.checkClaim(found, waiting, person);
    checkShown(waiting, body);
    checkBody(waiting, body);
    try {
      return await this.#found.familyOf(owner).answer({ owner, waiting, body, person, assignee }, context);
    } catch (error) {
      throw isChanged(error) ? await this.#withChanges(owner, body, error) : error;
    }
  }

  /** The owner itself refuses a proposal that does not wait, and an answer to proposals that have changed since they were read here. */
  async #withChanges(owner: TaskOwner, body: TaskAnswerBody, { rejection }: RejectionError) {
    const { waiting } = await this.#found.find(owner);
    return new RejectionError({ ...rejection, task: changesOf(waiting, body) });
  }

  async #send(owner: TaskOwner, command: TaskCommand, context: CommandContext): Promise<void> {
    const stream = this.log.streams.withoutPrefix(await this.#noteSubject(owner, context));
    const told = { ...command, data: { ...command.data, owner: { stream } } } as TaskCommand;
    await this.writer.send(taskDecider, { category: 'task', id: owner.taskId }, told, context);
  }

  /** Notes the subject of the waiting stream for the call. @returns that stream @throws RejectionError `erased` */
  async #noteSubject(owner: TaskOwner, context: CommandContext): Promise<string> {
    const stream = await this.#found.familyOf(owner).streamOf(owner);
    await refuseErasedStream(this.log, stream, context);
    return stream;
  }

  /** Records in the task's stream that an attempt was refused, without its body. The same key with another body is decided again. */
  async #attempted<Result>(
    owner: TaskOwner,
    context: CommandContext,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await attempt();
    } catch (error) {
      const code = error instanceof RejectionError ? error.rejection.code : '';
      if (KEPT.includes(code)) {
        const data = { by: personOf(context) ?? OPERATOR, code };
        const { fingerprint: _, ...noting } = childContext(context, `attempt-${code}`);
        await this.#send(owner, { type: 'NoteAttempt', data }, noting);
      }
      throw error;
    }
  }
}

function isChanged(error: unknown): error is RejectionError {
  return error instanceof RejectionError && error.rejection.code === 'changed';
}

/** @throws RejectionError */
function checkOpen({ status, answer }: WaitingThing): void {
  if (status === 'answered') refuse(refusal.taskAnswered(answer));
  if (status !== 'open') refuse(refusal.taskGone(status));
}

/** An answer to a decision must have the digest of the wait that the person saw; other answers may have one. @throws RejectionError */
function checkShown(waiting: WaitingThing, body: TaskAnswerBody): void {
  const { digest, version } = body;
  const isOld = version !== undefined && version !== waiting.version;
  if (isOld || (digest !== undefined && digest !== digestOf(waiting)))
    refuse(refusal.taskChanged(changesOf(waiting, body)));
  if (digest === undefined && waiting.kind === 'decision') refuse(refusal.digestNeeded());
}

/** Events of one append may have one position on EventStoreDB: they keep their order. */
function byPosition(one: RecordedEvent, other: RecordedEvent): number {
  return one.position < other.position ? -1 : Number(one.position > other.position);
}
