import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { answered, type CommandContext, checkKeyIn, currentContext, type Written } from '#lib/operations';
import {
  type ArbiterRef,
  type ArbitrationResult,
  currentRound,
  type Session,
  type SessionEvent,
} from '#lib/session';
import { ArbiterFailed } from './arbitrations/arbiter-failed.js';
import { Arbitrations } from './arbitrations/arbitrations.js';
import { arbiterRef } from './drive/arbiter-ref.js';
import { Participants } from './drive/participants.js';
import { ReinstatementRule } from './drive/reinstatement-rule.js';
import { Proposers } from './solicitations/proposers.js';
import { type RoundContext, roundContext } from './round-context.js';
import { checkCallerInput } from './check-caller-input.js';
import { SubmitArbitration, type SubmitArbitrationInput } from './submit-arbitration.operation.js';

/** The caller of an arbitration, and the arbiter it names. */
interface Caller {
  readonly isHuman: boolean;
  readonly specialistVersion?: number;
  readonly arbiter?: ArbiterRef;
}

@CommandHandler(SubmitArbitration)
export class SubmitArbitrationHandler implements ICommandHandler<SubmitArbitration> {
  constructor(
    private readonly log: EventLog,
    private readonly proposers: Proposers,
    private readonly participants: Participants,
    private readonly arbitrations: Arbitrations,
    private readonly reinstatement: ReinstatementRule,
  ) {}

  async execute(command: SubmitArbitration): Promise<ArbitrationResult> {
    return answered(await this.submit(Object.assign({}, command), currentContext()));
  }

  private async submit(
    input: SubmitArbitrationInput,
    context: CommandContext,
  ): Promise<Written<ArbitrationResult>> {
    checkCallerInput(input);
    const history = await this.log.load<SessionEvent>(this.log.streams.of('session', input.sessionId));
    checkKeyIn(history, context);
    const place = roundContext(history, input.sessionId);
    const { session } = place;
    const { arbiter: named, ...caller } = await this.caller(input, place, context);
    const { isHuman } = caller;
    const { alignment, ...roster } = await this.participants.of(session, { roundBegan: place.roundBegan });
    const arbiter = named ?? roster.arbiter;
    const roundId = input.roundId ?? currentRound(session).roundId;
    const submission = { ...input, ...caller, roundId, alignment, ...(arbiter && { arbiter }) };
    const actor = isHuman && input.specialistId !== undefined ? input.specialistId : context.actor;
    const arbitrated = await this.arbitrations.submit(submission, session, { ...context, actor });
    const { result, position, failure, repeated } = arbitrated;
    if (failure) throw new ArbiterFailed(input.sessionId, result.arbitrationId, failure, position);
    if (result.executed && result.isHuman && !repeated) await this.learn(session, context);
    return { value: result, position, created: false, isFleeting: !result.executed };
  }

  /** The caller: whether it is a human, and the arbiter it names. */
  private async caller(
    { specialistId, transitionName }: SubmitArbitrationInput,
    place: RoundContext,
    context: CommandContext,
  ): Promise<Caller> {
    if (specialistId === undefined) return { isHuman: false };
    const specialist = await this.proposers.actor(specialistId, place, context);
    const { version: specialistVersion, isHuman } = specialist;
    if (specialist.role === 'proposer') return { isHuman, specialistVersion };
    return {
      isHuman,
      specialistVersion,
      ...(transitionName === undefined && {
        arbiter: arbiterRef({ ...specialist, ...specialist.execution }),
      }),
    };
  }

  /** A decision of a person changes alignment: the champion may lose its trust. */
  private async learn(session: Session, context: CommandContext): Promise<void> {
    await this.reinstatement.check(session, await this.participants.of(session), context);
  }
}
