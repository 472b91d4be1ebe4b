import {
  type Escalated,
  excludedPeople,
  isNaming,
  notAPerson,
  priorityOf,
  withEscalated,
} from '#lib/candidates';
import type { EventLog, StreamHistory } from '#lib/event-store';
import { present, type Rejection } from '#lib/kernel';
import { checkKeyIn, type CommandContext, refuse } from '#lib/operations/core';
import type { MachineSpecialist } from '#lib/read-models';
import { peopleOf, promptOf } from '#lib/decisions/machines';
import {
  alignmentOf,
  approvalsNeeded,
  type RoundTask,
  roundTask,
  type Session,
  type SessionEvent,
  specialistsOfState,
  whyNotDeciding,
} from '#lib/decisions/session';
import {
  type Moved,
  type TakenAnswer,
  taskAnswered,
  type TaskFamily,
  taskGone,
  type RoundOwner,
  type TaskPerson,
  type WaitingThing,
} from '#lib/tasks/core';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import type { Participants, RoundParticipants } from '../drive/participants.js';
import type { ReinstatementRule } from '../drive/reinstatement-rule.js';
import { humanOfPerson, personOfHuman } from '../people-of-session.js';
import type { SessionReader } from '../session-reader.js';
import type { Clocks } from './clocks.js';
import { decisionChoices } from './decision-choices.js';
import { unfitAnswer } from './unfit-answer.js';

/** Rounds of sessions that wait for people, as tasks. */
export class DecisionTasks implements TaskFamily<RoundOwner> {
  readonly kinds = ['decision'] as const;

  constructor(
    private readonly log: EventLog,
    private readonly participants: Participants,
    private readonly arbitrations: Arbitrations,
    private readonly reinstatement: ReinstatementRule,
    private readonly sessions: SessionReader,
    private readonly clocks: Clocks,
  ) {}

  streamOf({ sessionId }: RoundOwner): string {
    return this.log.streams.of('session', sessionId);
  }

  async taskOf(owner: RoundOwner): Promise<WaitingThing | undefined> {
    const history = await this.#history(owner);
    const round = roundTask(history.events, owner.roundId);
    if (!round) return undefined;
    const participants = await this.participants.of(round.session);
    const times = await this.clocks.shown(history, round);
    const { taskId, kind } = owner;
    return {
      taskId,
      kind,
      ...shown(round, participants),
      ...whoDecides(round.session, participants, times?.escalated),
      ...(times && { times }),
      ...(round.session.fork && { isFork: true }),
    };
  }

  async whyNot(owner: RoundOwner, person: TaskPerson | undefined, assignee: string | undefined) {
    const round = await this.#round(owner);
    if (!round || !person) return person ? undefined : notAPerson();
    return whyNotDeciding(await this.#deciding(round.session, person, assignee), round.session);
  }

  async clocksOf(owner: RoundOwner): Promise<readonly string[]> {
    return (await this.#round(owner))?.clocks ?? [];
  }

  async move(owner: RoundOwner, moved: Moved, context: CommandContext): Promise<void> {
    const round = await this.#round(owner);
    if (!round) throw new TypeError(`round ${owner.roundId} has not waited`);
    return this.clocks.move(round.session, owner.roundId, moved, context);
  }

  async isRepeat(owner: RoundOwner, context: CommandContext): Promise<boolean> {
    return checkKeyIn(await this.#history(owner), context).length > 0;
  }

  async answered({ sessionId }: RoundOwner) {
    return { session: await this.sessions.now(sessionId) };
  }

  async answer({ owner, waiting, body, person, assignee }: TakenAnswer<RoundOwner>, context: CommandContext) {
    const { sessionId, roundId } = owner;
    const round = await this.#round(owner);
    if (!round || !person) throw new TypeError(`round ${roundId} has not waited`);
    const { alignment, ...roster } = await this.participants.of(round.session, { decides: true });
    const { arbiter } = roster;
    const { reason, metaJson, proposalId, transitionName } = body;
    const unfit = unfitAnswer(body, round.session);
    if (unfit) refuse(unfit);
    const chosen =
      body.choice === 'accept' ? { proposalId: proposalId ?? '' } : { transitionName: transitionName ?? '' };
    const submission = {
      sessionId,
      roundId,
      ...(await this.#deciding(round.session, person, assignee)),
      ...chosen,
      isHuman: true,
      ...present({ metaJson, reasoning: reason }),
      shown: (waiting.proposals ?? []).map((one) => one.proposalId),
      alignment,
      ...(arbiter && { arbiter }),
    };
    const { result, position } = await this.arbitrations.submit(submission, round.session, context);
    if (result.stale) refuse(await this.#tooLate(owner));
    if (result.executed)
      await this.reinstatement.check(round.session, await this.participants.of(round.session), context);
    context.written.note(position);
    return this.answered(owner);
  }

  #history({ sessionId }: RoundOwner): Promise<StreamHistory<SessionEvent>> {
    return this.log.load<SessionEvent>(this.log.streams.of('session', sessionId));
  }

  async #round(owner: RoundOwner): Promise<RoundTask | undefined> {
    return roundTask((await this.#history(owner)).events, owner.roundId);
  }

  /** Adds the human specialist as whom the person decides, if there is one in this state. */
  async #deciding(session: Session, person: TaskPerson, assignee: string | undefined) {
    const assigned = {
      ...(assignee !== undefined && { assignee }),
      ...(await this.clocks.escalated(session)),
    };
    if (person.specialistId !== undefined) return { ...person, ...assigned };
    const { registered } = await this.participants.of(session);
    const role = humanOfPerson(person.by, session, registered);
    return {
      ...person,
      ...(role && { specialistId: role.specialistId, specialistVersion: role.version }),
      ...assigned,
    };
  }

  async #tooLate(owner: RoundOwner): Promise<Rejection> {
    const round = await this.#round(owner);
    if (round?.answer) return taskAnswered(round.answer);
    return taskGone(round?.status === 'expired' ? 'expired' : 'withdrawn');
  }
}

function humansOf(session: Session, registered: readonly MachineSpecialist[]) {
  return specialistsOfState(session.machine, session.currentState, registered).filter(
    ({ role, isHuman }) => role === 'proposer' && isHuman,
  );
}

function whoDecides(session: Session, { registered }: RoundParticipants, escalated: Escalated | undefined) {
  const { creators, statedBy: proposers } = session;
  const policy = peopleOf(session.machine, session.currentState);
  const humans = humansOf(session, registered).map((one) => personOfHuman(one, session));
  const { groups = [], people = [] } = policy ?? {};
  const before = { people: isNaming(policy) ? people : humans, groups };
  return {
    candidates: withEscalated(before, escalated),
    excluded: excludedPeople(policy, { creators, proposers }),
  };
}

function shown(round: RoundTask, { alignment }: RoundParticipants) {
  const { session, version, status, reason, detail, since, answer, roundId } = round;
  const { sessionId, machineName, currentState, metaJson, labels } = session;
  return {
    version,
    status,
    title: `${machineName}: ${currentState}`,
    question: promptOf(session.machine, currentState),
    reason,
    detail,
    about: { sessionId, machineName, currentState, roundId, ...(metaJson && { metaJson }), ...labels },
    proposals: session.proposals.map((proposal) => ({
      sessionId,
      roundId,
      status: 'open' as const,
      createdAt: since,
      ...proposal,
      alignmentScore: alignmentOf(proposal, alignment),
      comparisons: comparisonsOf(proposal.specialistId, alignment.scores),
    })),
    choices: decisionChoices(session),
    approvals: { needed: approvalsNeeded(session), given: round.approvals },
    priority: priorityOf(peopleOf(session.machine, currentState)),
    since,
    ...(answer && { answer }),
  };
}

function comparisonsOf(
  specialistId: string,
  scores: readonly { readonly specialistId: string; readonly comparisons?: number }[],
): number {
  return scores.find((one) => one.specialistId === specialistId)?.comparisons ?? 0;
}
