import type { EventLog } from '#lib/event-store';
import { ownMember } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import {
  type Arbiter,
  type Proposer,
  type ProposerExecution,
  specialistDecider,
  type SpecialistEvent,
  specialistVersion,
  unknownSpecialist,
  versionAt,
} from '#lib/decisions/specialists';
import type { RoundContext, SessionContext } from '../round-context.js';
import { ownSpecialist, specialistTarget } from '#lib/decisions/registration/core';
import { notAProposer, notAsked, whyNotActing } from './acting.rules.js';

/** The log, or what a call has read of it ahead. */
type Streams = Pick<EventLog, 'load'>;

/** Checks which specialists may take part in a session, and finds their versions. */
export class Proposers {
  constructor(private readonly log: EventLog) {}

  /** @throws RejectionError as `actor`, and if it is not a proposer */
  async find(specialistId: string, round: RoundContext, streams: Streams = this.log): Promise<Proposer> {
    const specialist = await this.actor(specialistId, round, streams);
    if (specialist.role === 'proposer') return specialist;
    throw new RejectionError(notAProposer(specialistId));
  }

  /**
   * A specialist of any role, in the version that takes part in the round.
   * @throws RejectionError if the session's machine has none of this id, it is disabled, or other specialists are declared for the
   * state. A person of the machine may act in every state of it.
   */
  async actor(
    specialistId: string,
    round: RoundContext,
    streams: Streams = this.log,
  ): Promise<Proposer | Arbiter> {
    const { specialist, standsAlone } = await this.known(specialistId, round, streams);
    const refusal = whyNotActing({ ...specialist, standsAlone }, round.session);
    if (refusal) throw new RejectionError(refusal);
    return specialist;
  }

  private async known(specialistId: string, { session, roundBegan }: RoundContext, streams: Streams) {
    const own = ownSpecialist(session, specialistId);
    if (own) return { specialist: own, standsAlone: own.standsAlone };
    const stream = streamOf(this.log, specialistId, session);
    const history = await streams.load<SpecialistEvent>(stream);
    const state = history.state(specialistDecider);
    const declared = ownMember(session.specialistVersions, specialistId);
    const version = declared ?? (state?.standsAlone ? versionAt(history.events, roundBegan) : undefined);
    const specialist = version === undefined ? undefined : specialistVersion(state, version);
    if (!specialist) throw new RejectionError(unknownSpecialist(specialistId));
    return { specialist, standsAlone: state?.standsAlone ?? false };
  }

  /** How a proposer is asked. @throws RejectionError for a human: they are never asked by the engine */
  executionOf({ specialistId, isHuman, execution }: Proposer): ProposerExecution {
    if (execution && !isHuman) return execution;
    throw new RejectionError(notAsked(specialistId));
  }
}

/** The stream of a specialist of this session, unless its machine came with the session: then there is none. */
export function specialistStream(
  log: EventLog,
  specialistId: string,
  session: SessionContext,
): readonly string[] {
  return ownSpecialist(session, specialistId) ? [] : [streamOf(log, specialistId, session)];
}

function streamOf({ streams }: EventLog, specialistId: string, { machineName }: SessionContext): string {
  const { category, id } = specialistTarget({ machineName, specialistId });
  return streams.of(category, id);
}
