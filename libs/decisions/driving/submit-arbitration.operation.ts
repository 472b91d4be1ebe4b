import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Escalated } from '#lib/candidates';
import { EventLog } from '#lib/event-store';
import {
  answered,
  checkKeyIn,
  type CommandContext,
  currentContext,
  input,
  type InputOf,
  is,
  Operation,
  refuse,
  standIn,
  type Written,
} from '#lib/operations';
import {
  type ArbiterRef,
  type ArbitrationResult,
  currentRound,
  roundTaskId,
  type Session,
  type SessionEvent,
  sessionRejections,
} from '#lib/decisions/session';
import { Tasks } from '#lib/tasks/core';
import { Authors } from './authors.js';
import { Arbitration, costMembers } from './sessions.views.js';
import { ArbiterFailed, type Arbitrated, Arbitrations } from './arbitrations/arbitrations.js';
import { arbiterRef } from './drive/roster.rules.js';
import { Participants, type RoundParticipants } from './drive/participants.js';
import { ReinstatementRule } from './drive/reinstatement-rule.js';
import { Proposers } from './solicitations/proposers.js';
import { Clocks } from './tasks/clocks.js';
import { unfitAnswer } from './tasks/unfit-answer.js';
import { humanOfPerson } from './people-of-session.js';
import {
  checkCallerInput,
  chosenRound,
  type RoundContext,
  roundContext,
  sessionStream,
} from './round-context.js';

@Operation({
  summary:
    'Have the arbiter of the round decide on its proposals; or, with a transition, force it as the person who decides',
  http: 'POST /v1/sessions/:sessionId/arbitrations',
  cli: 'arbitrate <sessionId> --arbiter <specialistId>',
  mcp: 'operate',
  access: 'reviewer',
  answers: { 200: Arbitration },
  problems: [410, 502, 503],
  destructive: true,
  reads: sessionStream,
})
export class SubmitArbitration extends input(Command<Arbitration>, {
  sessionId: is.idOf(sessionRejections.unknownSession),
  specialistId: is.name.optional.about(
    "The arbiter to ask, instead of the state's; or the human specialist as whom a person decides. Default for a person: their human specialist in the machine, if there is one",
    { example: 'reviewer' },
  ),
  roundId: is.text.optional.about('Default: the current round; another one is stale'),
  transitionName: is.text.optional.about('Forces this transition: for people who decide the round'),
  proposalId: is.text.optional.about(
    'Accepts this proposal of the round: its transition, with its arguments unless metaJson replaces them',
  ),
  reasoning: is.text.optional.about('Replaces the reasoning of the winning proposal'),
  metaJson: is.object().optional.about('Data of the decision'),
  actAs: standIn,
  ...costMembers,
}) {}

/** The input of `submitArbitration`. */
export type SubmitArbitrationInput = InputOf<typeof SubmitArbitration>;

/** A person's decision. */
export type DecisionInput = SubmitArbitrationInput &
  Required<Pick<SubmitArbitrationInput, 'specialistId'>> &
  (
    | Required<Pick<SubmitArbitrationInput, 'transitionName'>>
    | Required<Pick<SubmitArbitrationInput, 'proposalId'>>
  );

/** The caller of an arbitration, and the arbiter it names. */
interface Caller {
  readonly isHuman: boolean;
  /** The person who forces a transition, with their groups. */
  readonly by?: string;
  readonly groups?: readonly string[];
  /** The human specialist of a person who named none. */
  readonly specialistId?: string;
  readonly specialistVersion?: number;
  readonly arbiter?: ArbiterRef;
}

/** Checks a person's arguments in place of a proposal's against the transition, as in an answer to the task. @throws RejectionError */
function checkEdit(
  { by, roundId, proposalId, metaJson }: Caller & SubmitArbitrationInput,
  session: Session,
): void {
  if (by === undefined || proposalId === undefined || !metaJson) return;
  const unfit =
    roundId === currentRound(session).roundId
      ? unfitAnswer({ choice: 'accept', proposalId, metaJson }, session)
      : undefined;
  if (unfit) refuse(unfit);
}

type Round = RoundContext & Pick<RoundParticipants, 'registered'>;

@CommandHandler(SubmitArbitration)
export class SubmitArbitrationHandler implements ICommandHandler<SubmitArbitration> {
  constructor(
    private readonly log: EventLog,
    private readonly proposers: Proposers,
    private readonly authors: Authors,
    private readonly participants: Participants,
    private readonly arbitrations: Arbitrations,
    private readonly reinstatement: ReinstatementRule,
    private readonly tasks: Tasks,
    private readonly clocks: Clocks,
  ) {}

  async execute(command: SubmitArbitration): Promise<ArbitrationResult> {
    return answered(await this.submit(Object.assign({}, command), currentContext()));
  }

  private async submit(
    input: SubmitArbitrationInput,
    context: CommandContext,
  ): Promise<Written<ArbitrationResult>> {
    checkCallerInput(input);
    const streams = context.ahead ?? this.log;
    const history = await streams.load<SessionEvent>(sessionStream(input, this.log)[0]);
    const before = checkKeyIn(history, context);
    if (before.length > 0)
      return this.result(input, await this.arbitrations.repeated(input.sessionId, history, before));
    const round = roundContext(history, input.sessionId);
    const { session } = round;
    const roundId = input.roundId ?? chosenRound(session, context);
    const participants = await this.participants.of(session, {
      roundBegan: round.roundBegan,
      decides: true,
    });
    const { alignment, registered, ...roster } = participants;
    const { arbiter: named, ...caller } = await this.caller(input, { ...round, registered }, context);
    const arbiter = named ?? roster.arbiter;
    const { actAs: _, ...given } = input;
    const decided = { ...given, ...caller, roundId };
    const assigned = await this.checkTask(decided, session, context);
    checkEdit(decided, session);
    const submission = { ...decided, ...assigned, alignment, ...(arbiter && { arbiter }) };
    const arbitrated = await this.arbitrations.submit(submission, session, context);
    const { result, repeated } = arbitrated;
    if (result.executed && result.isHuman && !repeated) await this.learn(session, context);
    return this.result(input, arbitrated);
  }

  private result(
    { sessionId }: SubmitArbitrationInput,
    { result, position, failure }: Arbitrated,
  ): Written<ArbitrationResult> {
    if (failure) throw new ArbiterFailed(sessionId, result.arbitrationId, failure, position);
    return { value: result, position, created: false, isFleeting: !result.executed };
  }

  /** The caller of the arbitration, and its arbiter. */
  private async caller(
    { specialistId, transitionName, proposalId }: SubmitArbitrationInput,
    round: Round,
    context: CommandContext,
  ): Promise<Caller> {
    const isForced = (transitionName ?? proposalId) !== undefined;
    if (specialistId === undefined) return isForced ? this.person(round, context) : { isHuman: false };
    const specialist = await this.proposers.actor(specialistId, round);
    const { version: specialistVersion, isHuman } = specialist;
    if (specialist.role === 'proposer') {
      const person = isHuman ? await this.authors.of(specialist, round.session, context) : undefined;
      return { isHuman, specialistVersion, ...(isForced && person) };
    }
    return {
      isHuman,
      specialistVersion,
      ...(!isForced && {
        arbiter: arbiterRef({ ...specialist, ...specialist.execution }),
      }),
    };
  }

  /** A person who names no specialist: the rules of the round say whether they may decide it. */
  private async person({ session, registered }: Round, context: CommandContext): Promise<Caller> {
    const author = await this.authors.caller(context, session);
    if (!author) return { isHuman: false };
    const human = humanOfPerson(author.by, session, registered);
    const role = human && { specialistId: human.specialistId, specialistVersion: human.version };
    return { isHuman: true, ...author, ...role };
  }

  /** A decision answers the task of the round, by the same rules. The session itself refuses a past round. */
  private async checkTask(
    {
      sessionId,
      roundId,
      by,
      groups,
      specialistId,
    }: Caller & { readonly sessionId: string; readonly roundId: string },
    session: Session,
    context: CommandContext,
  ): Promise<{ readonly assignee?: string; readonly escalated?: Escalated }> {
    if (by === undefined || roundId !== currentRound(session).roundId) return {};
    const taskId = roundTaskId(sessionId, roundId);
    const role = specialistId !== undefined && { specialistId };
    const person = { by, ...(groups && { groups }), ...role };
    const assignee = await this.tasks.checkAnswer(
      { taskId, kind: 'decision', sessionId, roundId },
      person,
      context,
    );
    return { ...(assignee !== undefined && { assignee }), ...(await this.clocks.escalated(session)) };
  }

  /** A person's decision changes alignment: the champion may lose its trust. */
  private async learn(session: Session, context: CommandContext): Promise<void> {
    await this.reinstatement.check(session, await this.participants.of(session), context);
  }
}
