import type { EventLog, StreamHistory } from '#lib/event-store';
import { type Clock, isRejection, present, type RecordedEvent, type Rejection } from '#lib/kernel';
import { type CommandContext, orRefused, personOf, refuse } from '#lib/operations/core';
import { cannotAct, isOwnHumanOf, type PersonTokens } from '#lib/people/core';
import { digestOf } from './digest.js';
import type { TimesShown } from './due-times/clock-events.js';
import { type Claim, claimAt, commentsIn, taskDecider, type TaskState } from './task.decider.js';
import type { TaskEvent } from './task.events.js';
import type { TaskFamily, TaskOwner, TaskPerson, WaitingThing } from './task.family.js';
import * as refusal from './task.rejections.js';
import type { Task } from './tasks.views.js';

/** The acts of people on a task. */
interface Acted {
  readonly owner: TaskOwner;
  readonly state: TaskState;
  /** The events that claimed and assigned it last. */
  readonly claimed?: RecordedEvent<TaskEvent>;
  readonly assigned?: RecordedEvent<TaskEvent>;
}

/** The wait that a claim is of. */
type ClaimedWait = Pick<WaitingThing, 'version' | 'approvals'>;

/** A task, and the acts of people on it. */
export interface Found extends Acted {
  readonly waiting: WaitingThing;
  readonly history: StreamHistory<TaskEvent>;
}

/** Tasks read from the log: the wait, the acts of people on it, and who may answer. */
export class FoundTasks {
  constructor(
    private readonly log: EventLog,
    private readonly people: PersonTokens,
    private readonly families: readonly TaskFamily[],
    private readonly clock: Clock,
  ) {}

  /** ISO 8601, UTC. */
  now(): string {
    return this.clock.now().toISOString();
  }

  /** @throws RejectionError for an owner that has never waited */
  async find(owner: TaskOwner): Promise<Found> {
    const waiting = await this.familyOf(owner).taskOf(owner);
    if (!waiting) refuse(refusal.unknownTask(owner.taskId));
    const history = await this.#history(owner);
    return { waiting, history, ...actsIn(owner, history) };
  }

  async acted(owner: TaskOwner): Promise<Acted> {
    return actsIn(owner, await this.#history(owner));
  }

  familyOf({ kind }: TaskOwner): TaskFamily {
    const family = this.families.find(({ kinds }) => kinds.includes(kind));
    if (!family) throw new TypeError(`no family of tasks is of kind ${kind}`);
    return family;
  }

  /**
   * The person of the call, in the session in which the humans of its own machine are people too; `undefined` for a caller who is none:
   * code of this process may name an actor that is no person.
   * @throws RejectionError `role` for a viewer
   */
  async acting(owner: TaskOwner, context: CommandContext): Promise<TaskPerson | undefined> {
    const by = personOf(context);
    if (by === undefined) return undefined;
    return orRefused(await this.#personOf(by, owner));
  }

  /** @returns the only person who can answer, if there is one @throws RejectionError */
  async checkCandidate(acted: Acted, person: TaskPerson | undefined): Promise<string | undefined> {
    const { owner } = acted;
    const assignee = await this.#assignee(acted);
    const refused = await this.familyOf(owner).whyNot(owner, person, assignee);
    if (refused) refuse(refused);
    return assignee;
  }

  /** @throws RejectionError */
  async checkClaim(acted: Acted, wait: ClaimedWait, person: TaskPerson | undefined): Promise<void> {
    const claim = await this.claim(acted, wait);
    if (claim && claim.by !== person?.by) refuse(refusal.taskClaimed(claim));
  }

  /**
   * The claim of a person who may still answer. A person who has given their approval or cannot answer would keep all others from answering
   * until the claim lapses.
   */
  async claim(acted: Acted, { version, approvals }: ClaimedWait): Promise<Claim | undefined> {
    const { owner, state, claimed } = acted;
    const claim = claimAt(state, version, this.now());
    if (!claim || !claimed) return undefined;
    // By the log: the times of events are those of clocks, which differ between processes and are set back.
    const isLater = ({ position }: { readonly position: string }) => position > claimed.position;
    if (approvals.given.some((one) => one.by === claim.by && isLater(one))) return undefined;
    const holder = await this.#personOf(claim.by, owner, claimed);
    if (!holder || isRejection(holder)) return undefined;
    const assignee = await this.#assignee(acted);
    return (await this.familyOf(owner).whyNot(owner, holder, assignee)) ? undefined : claim;
  }

  /** The person of a claim that has ended before its time, as the claims of a task that has ended. */
  async endedClaim(found: Found): Promise<{ readonly ended?: string }> {
    const { state, waiting } = found;
    const holder = claimAt(state, waiting.version, this.now())?.by;
    if (holder === undefined) return {};
    const lasts = waiting.status === 'open' && (await this.claim(found, waiting)) !== undefined;
    return lasts ? {} : { ended: holder };
  }

  /** Assignments to people who were deleted have ended. An operator may assign a task to a person who is no candidate. */
  async #assignee({ state: { assignee }, assigned }: Acted): Promise<string | undefined> {
    if (assignee === undefined || !assigned) return undefined;
    return (await this.people.find(assignee, assigned.position)) && assignee;
  }

  async shown(found: Found): Promise<Task> {
    const { waiting, history } = found;
    const isOpen = waiting.status === 'open';
    const claim = isOpen ? await this.claim(found, waiting) : undefined;
    const assignee = await this.#assignee(found);
    const { times, isFork = false, approvals, ...shown } = waiting;
    const given = approvals.given.map(({ position: _, ...one }) => one);
    return {
      ...shown,
      status: claim ? 'claimed' : waiting.status,
      digest: digestOf(waiting),
      approvals: { ...approvals, given },
      ...(assignee !== undefined && { assignee }),
      ...(claim && { claimedBy: claim.by, claimedUntil: claim.until }),
      ...timesOf(times, isOpen ? this.now() : undefined),
      comments: commentsIn(history.events),
      isFork,
    };
  }

  #history({ taskId }: TaskOwner): Promise<StreamHistory<TaskEvent>> {
    return this.log.load<TaskEvent>(this.log.streams.of('task', taskId));
  }

  /** `undefined` if no person is registered under this id. @param act of theirs: then they must have been registered before it */
  async #personOf(
    by: string,
    owner: TaskOwner,
    act?: RecordedEvent,
  ): Promise<TaskPerson | Rejection | undefined> {
    if (isOwnHuman(by, owner)) return { by };
    const person = await this.people.find(by, act?.position);
    const refused = person && cannotAct(by, person);
    return refused ?? (person && { by, ...(person.groups && { groups: person.groups }) });
  }
}

function actsIn(owner: TaskOwner, history: StreamHistory<TaskEvent>): Acted {
  const last = (type: TaskEvent['type']) => history.events.findLast((event) => event.type === type);
  const [claimed, assigned] = [last('TaskClaimed'), last('TaskAssigned')];
  const acts = present({ claimed, assigned });
  return { owner, state: history.state(taskDecider), ...acts };
}

/** @param now if the task can be overdue */
function timesOf({ dueAt, expiresAt, escalations = 0 }: Partial<TimesShown> = {}, now: string | undefined) {
  return {
    ...(dueAt !== undefined && { dueAt }),
    overdue: dueAt !== undefined && now !== undefined && dueAt <= now,
    ...(expiresAt !== undefined && { expiresAt }),
    escalated: escalations,
  };
}

function isOwnHuman(personId: string, { sessionId }: TaskOwner): boolean {
  return sessionId !== undefined && isOwnHumanOf(personId, sessionId);
}
