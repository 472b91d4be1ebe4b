import type { EventLog } from '#lib/event-store';
import { ownMember, reject, type Rejection } from '#lib/kernel';
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
import { type Candidate, type Session, specialistsOfState } from '#lib/decisions/session';

/** The log, or the streams that a call has read ahead. */
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
   * A specialist of any role, in its version for the round.
   * @throws RejectionError if the session's machine has none of this id, it is disabled, or the state has other specialists. A
   * person of the machine may act in every state.
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

  /** The execution mode of a proposer. @throws RejectionError for a human: the engine never asks one */
  executionOf({ specialistId, isHuman, execution }: Proposer): ProposerExecution {
    if (execution && !isHuman) return execution;
    throw new RejectionError(notAsked(specialistId));
  }
}

/** The stream of a specialist of this session; none if the machine came with the session. */
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

/** The reason why a specialist does not act in the state of a session; `undefined` if it may. A person of the machine may act in every state. */
export function whyNotActing(
  specialist: Candidate,
  { machine, currentState }: Pick<Session, 'machine' | 'currentState'>,
): Rejection | undefined {
  const { specialistId, enabled, isHuman } = specialist;
  if (!enabled) return disabled(specialistId);
  const takesPart = specialistsOfState(machine, currentState, [specialist]).length > 0;
  return takesPart || isHuman ? undefined : notDeclared(specialistId, currentState);
}

export function notAProposer(specialistId: string): Rejection {
  return wrongSpecialist(specialistId, 'it is an arbiter', 'Name a proposer');
}

export function notAsked(specialistId: string): Rejection {
  const why = 'a human is never asked by the engine';
  return wrongSpecialist(specialistId, why, 'State the choice with transitionName');
}

function wrongSpecialist(specialistId: string, why: string, fix: string): Rejection {
  return reject('refused', 'wrong-specialist', {
    what: `specialist ${specialistId}`,
    why,
    fix,
  });
}

function notDeclared(specialistId: string, state: string): Rejection {
  const why = `the machine declares others of its role for state ${state}, and only those take part`;
  return wrongSpecialist(specialistId, why, 'Declare it in the machine, or name one that is declared');
}

function disabled(specialistId: string): Rejection {
  return reject('refused', 'specialist-disabled', {
    what: `specialist ${specialistId}`,
    why: 'it is disabled, and takes no part',
    fix: 'Enable it first, or act as another one',
  });
}
