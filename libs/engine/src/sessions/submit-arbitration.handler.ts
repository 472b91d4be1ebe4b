import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { answered, type Call, checkKeyIn, currentCall, type Granted } from '#lib/operations';
import {
  type ArbiterRef,
  type ArbitrationResult,
  currentRound,
  type Session,
  type SessionEvent,
} from '#lib/session';
import { ArbiterFailed } from '../arbitrations/arbiter-failed.js';
import { Arbitrations } from '../arbitrations/arbitrations.js';
import { arbiterRef } from '../process-manager/arbiter-ref.js';
import { Rosters } from '../process-manager/rosters.js';
import { TripLine } from '../process-manager/trip-line.js';
import { Proposers } from '../specialists/proposers.js';
import { type RoundPlace, roundPlace } from './round-place.js';
import { checkGiven } from '../write-side/check-given.js';
import { SubmitArbitration, type SubmitArbitrationInput } from './submit-arbitration.operation.js';

/** Who wants an arbitration, and the arbiter that they name. */
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
    private readonly rosters: Rosters,
    private readonly arbitrations: Arbitrations,
    private readonly tripLine: TripLine,
  ) {}

  async execute(command: SubmitArbitration): Promise<ArbitrationResult> {
    return answered(await this.submit(Object.assign({}, command), currentCall()));
  }

  private async submit(input: SubmitArbitrationInput, call: Call): Promise<Granted<ArbitrationResult>> {
    checkGiven(input);
    const history = await this.log.load<SessionEvent>(this.log.streams.of('session', input.sessionId));
    checkKeyIn(history, call);
    const place = roundPlace(history, input.sessionId);
    const { session } = place;
    const { arbiter: named, ...caller } = await this.caller(input, place, call);
    const { isHuman } = caller;
    const { alignment, ...roster } = await this.rosters.of(session, { roundBegan: place.roundBegan });
    const arbiter = named ?? roster.arbiter;
    const roundId = input.roundId ?? currentRound(session).roundId;
    const wish = { ...input, ...caller, roundId, alignment, ...(arbiter && { arbiter }) };
    const actor = isHuman && input.specialistId !== undefined ? input.specialistId : call.actor;
    const arbitrated = await this.arbitrations.submit(wish, session, { ...call, actor });
    const { result, position, failure, repeated } = arbitrated;
    if (failure) throw new ArbiterFailed(input.sessionId, result.arbitrationId, failure, position);
    if (result.executed && result.isHuman && !repeated) await this.learn(session, call);
    return { value: result, position, created: false, isFleeting: !result.executed };
  }

  /** Who wants it: whether that is a human, and which arbiter they name. */
  private async caller(
    { specialistId, transitionName }: SubmitArbitrationInput,
    place: RoundPlace,
    call: Call,
  ): Promise<Caller> {
    if (specialistId === undefined) return { isHuman: false };
    const specialist = await this.proposers.actor(specialistId, place, call);
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

  /** A person has decided: whoever was trusted alone may be trusted no more. */
  private async learn(session: Session, call: Call): Promise<void> {
    await this.tripLine.check(session, await this.rosters.of(session), call);
  }
}
