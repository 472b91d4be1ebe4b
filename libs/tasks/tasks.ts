import type { EventLog, StreamHistory } from '#lib/event-store';
import type { Clock, RecordedEvent } from '#lib/kernel';
import {
  childContext,
  type CommandContext,
  type CommandWriter,
  OPERATOR,
  personOf,
  refuse,
  RejectionError,
} from '#lib/operations/core';
import { cannotAct, isOwnHumanOf, type PersonTokens } from '#lib/people/core';
import { digestOf } from './digest.js';
import {
  type Claim,
  claimAt,
  commentsIn,
  taskDecider,
  type TaskCommand,
  type TaskState,
} from './task.decider.js';
import type { TaskEvent } from './task.events.js';
import type { TaskAnswerBody, TaskFamily, TaskOwner, TaskPerson, WaitingThing } from './task.family.js';
import * as refusal from './task.rejections.js';
import type { Task } from './tasks.views.js';

/** Refusals that are kept in the stream of the task. */
const KEPT: readonly string[] = [
  'not-a-person',
  'excluded',
  'not-a-candidate',
  'answered',
  'expired',
  'withdrawn',
  'claimed',
];

/** The acts of people on a task. */
interface Acted {
  readonly owner: TaskOwner;
  readonly state: TaskState;
}

/** A task and what people have done with it. */
interface Found extends Acted {
  readonly waiting: WaitingThing;
  readonly history: StreamHistory<TaskEvent>;
}

/** The tasks of people, and the commands on them. Every door checks an answer here before it records it. */
export class Tasks {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly people: PersonTokens,
    private readonly families: readonly TaskFamily[],
    private readonly clock: Clock,
  ) {}

  /** ISO 8601, UTC. */
  now(): string {
    return this.clock.now().toISOString();
  }

  /** Whether the caller is an operator: without a person, or a person of that role. */
  async isOperator(context: CommandContext): Promise<boolean> {
    const by = personOf(context);
    return by === undefined || (await this.people.find(by))?.role === 'operator';
  }

  /** @throws RejectionError when nothing has waited there */
  async view(owner: TaskOwner): Promise<Task> {
    return this.#shown(await this.#find(owner));
  }

  /** The events of the task, oldest first. */
  async events({ taskId }: TaskOwner): Promise<readonly RecordedEvent<TaskEvent>[]> {
    return this.log.readStream<TaskEvent>(this.log.streams.of('task', taskId));
  }

  /** Claims it for a while; by the same person again: for longer. */
  async claim(owner: TaskOwner, minutes: number, context: CommandContext): Promise<Task> {
    const now = this.clock.now();
    await this.#attempted(owner, context, async () => {
      const found = await this.#find(owner);
      const person = await this.#acting(owner, context);
      await this.#checkCandidate(found, person);
      checkOpen(found.waiting);
      const until = new Date(now.getTime() + minutes * 60_000).toISOString();
      const { version } = found.waiting;
      const holder = claimAt(found.state, version, now.toISOString())?.by;
      const isDeleted = holder !== undefined && !(await this.#registered(holder, owner));
      const ended = isDeleted ? { deleted: holder } : {};
      const data = { by: person?.by ?? '', now: now.toISOString(), until, version, ...ended };
      await this.#send(owner, { type: 'ClaimTask', data }, context);
    });
    return this.view(owner);
  }

  /** Ends the claim: by the person who has it, or an operator. */
  async release(owner: TaskOwner, isOperator: boolean, context: CommandContext): Promise<Task> {
    const { waiting } = await this.#find(owner);
    const now = this.now();
    const data = { by: personOf(context) ?? OPERATOR, now, version: waiting.version, isOperator };
    await this.#send(owner, { type: 'ReleaseTask', data }, context);
    return this.view(owner);
  }

  async assign(owner: TaskOwner, personId: string | null, context: CommandContext): Promise<Task> {
    const { waiting } = await this.#find(owner);
    checkOpen(waiting);
    if (personId !== null && cannotAct(personId, await this.people.find(personId)))
      refuse(refusal.notAssignable(personId));
    const data = { by: personOf(context) ?? OPERATOR, personId };
    await this.#send(owner, { type: 'AssignTask', data }, context);
    return this.view(owner);
  }

  async comment(owner: TaskOwner, text: string, context: CommandContext): Promise<Task> {
    const { waiting } = await this.#find(owner);
    if (waiting.status !== 'open') refuse(refusal.taskEnded());
    const data = { by: personOf(context) ?? OPERATOR, text };
    await this.#send(owner, { type: 'CommentTask', data }, context);
    return this.view(owner);
  }

  /** Refusals in the order of the contract: who, whether it is open, claimed, changed, and then what is wrong with the body. */
  async answer(owner: TaskOwner, body: TaskAnswerBody, context: CommandContext) {
    const family = this.#familyOf(owner);
    const taken = await this.#attempted(owner, context, async () => {
      const found = await this.#find(owner);
      const person = await this.#acting(owner, context);
      const assignee = await this.#checkCandidate(found, person);
      checkOpen(found.waiting);
      await this.#checkClaim(found, found.waiting.version, person);
      checkShown(found.waiting, body);
      const { waiting } = found;
      return family.answer({ owner, waiting, body, person: person ?? { by: '' }, assignee }, context);
    });
    return { task: await this.view(owner), ...taken };
  }

  /**
   * Checks an answer that comes by another door, such as an arbitration, by the same rules.
   * @returns the only person who can answer, if there is one
   * @throws RejectionError
   */
  async checkAnswer(owner: TaskOwner, person: TaskPerson, context: CommandContext) {
    return this.#attempted(owner, context, async () => {
      const state = (await this.#history(owner)).state(taskDecider);
      const assignee = await this.#checkCandidate({ owner, state }, person);
      const version = state.claim && (await this.#familyOf(owner).taskOf(owner))?.version;
      if (version !== undefined) await this.#checkClaim({ owner, state }, version, person);
      return assignee;
    });
  }

  async #find(owner: TaskOwner): Promise<Found> {
    const waiting = await this.#familyOf(owner).taskOf(owner);
    if (!waiting) refuse(refusal.unknownTask(owner.taskId));
    const history = await this.#history(owner);
    return { owner, waiting, history, state: history.state(taskDecider) };
  }

  #history({ taskId }: TaskOwner): Promise<StreamHistory<TaskEvent>> {
    return this.log.load<TaskEvent>(this.log.streams.of('task', taskId));
  }

  #familyOf({ kind }: TaskOwner): TaskFamily {
    const family = this.families.find((one) => one.kind === kind);
    if (!family) throw new TypeError(`no family of tasks is of kind ${kind}`);
    return family;
  }

  /** The person of the call. A person who was deleted acts nowhere; a human of a machine that came with its session acts there alone. */
  async #acting({ sessionId }: TaskOwner, context: CommandContext): Promise<TaskPerson | undefined> {
    const by = personOf(context);
    if (by === undefined) return undefined;
    const person = await this.people.find(by);
    const refused = isOwnHumanOf(by, sessionId) ? undefined : cannotAct(by, person);
    if (refused) refuse(refused);
    return { by, ...(person?.groups && { groups: person.groups }) };
  }

  /** @returns the only person who can answer, if there is one */
  async #checkCandidate(
    { owner, state }: Acted,
    person: TaskPerson | undefined,
  ): Promise<string | undefined> {
    const assignee = await this.#registered(state.assignee, owner);
    const refused = await this.#familyOf(owner).whyNot(owner, person, assignee);
    if (refused) refuse(refused);
    return assignee;
  }

  async #checkClaim(acted: Acted, version: number, person: TaskPerson | undefined): Promise<void> {
    const claim = await this.#claim(acted, version);
    if (claim && claim.by !== person?.by) refuse(refusal.taskClaimed(claim));
  }

  /** Claims and assignments of people who were deleted have ended. */
  async #claim({ owner, state }: Acted, version: number): Promise<Claim | undefined> {
    const claim = claimAt(state, version, this.now());
    return claim && (await this.#registered(claim.by, owner)) === undefined ? undefined : claim;
  }

  async #registered(personId: string | undefined, { sessionId }: TaskOwner): Promise<string | undefined> {
    if (personId === undefined || isOwnHumanOf(personId, sessionId)) return personId;
    return (await this.people.find(personId)) ? personId : undefined;
  }

  async #shown(found: Found): Promise<Task> {
    const { owner, waiting, history, state } = found;
    const isOpen = waiting.status === 'open';
    const claim = isOpen ? await this.#claim(found, waiting.version) : undefined;
    const assignee = await this.#registered(state.assignee, owner);
    return {
      ...waiting,
      status: claim ? 'claimed' : waiting.status,
      digest: digestOf(waiting),
      ...(assignee !== undefined && { assignee }),
      ...(claim && { claimedBy: claim.by, claimedUntil: claim.until }),
      overdue: false,
      escalated: 0,
      comments: commentsIn(history.events),
      isFork: false,
    };
  }

  async #send({ taskId }: TaskOwner, command: TaskCommand, context: CommandContext): Promise<void> {
    await this.writer.send(taskDecider, { category: 'task', id: taskId }, command, context);
  }

  /** Notes in the stream of the task that it was refused, without what was sent. */
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
        await this.#send(owner, { type: 'NoteAttempt', data }, childContext(context, `attempt-${code}`));
      }
      throw error;
    }
  }
}

/** @throws RejectionError */
function checkOpen({ status, answer }: WaitingThing): void {
  if (status === 'answered') refuse(refusal.taskAnswered(answer));
  if (status !== 'open') refuse(refusal.taskGone(status));
}

/** Decisions say what was shown; others may. @throws RejectionError */
function checkShown(waiting: WaitingThing, { digest, version }: TaskAnswerBody): void {
  const now = digestOf(waiting);
  const isOld = version !== undefined && version !== waiting.version;
  if (isOld || (digest !== undefined && digest !== now)) refuse(refusal.taskChanged(now));
  if (digest === undefined && waiting.kind === 'decision') refuse(refusal.digestNeeded());
}
