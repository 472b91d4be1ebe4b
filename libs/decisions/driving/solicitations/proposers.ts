import type { EventLog } from '#lib/event-store';
import { ownMember, reject, type Rejection } from '#lib/kernel';
import { RejectionError } from '#lib/operations/core';
import { specialistsOfState } from '#lib/decisions/session';
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
import type { RoundContext } from '../round-context.js';
import { ownSpecialist, specialistTarget } from '#lib/decisions/registration/core';

/** Checks which specialists may take part in a session, and finds their versions. */
export class Proposers {
  constructor(private readonly log: EventLog) {}

  /** @throws RejectionError as `actor`, and if it is not a proposer */
  async find(specialistId: string, round: RoundContext): Promise<Proposer> {
    const specialist = await this.actor(specialistId, round);
    if (specialist.role === 'proposer') return specialist;
    throw new RejectionError(wrongSpecialist(specialistId, 'it is an arbiter', 'Name a proposer'));
  }

  /**
   * A specialist of any role, in the version that takes part in the round.
   * @throws RejectionError if the session's machine has none of this id, it is disabled, or other specialists are declared for the
   * state. A person of the machine may act in every state of it.
   */
  async actor(specialistId: string, round: RoundContext): Promise<Proposer | Arbiter> {
    const { specialist, standsAlone } = await this.known(specialistId, round);
    if (!specialist.enabled) throw new RejectionError(disabled(specialistId));
    const { machine, currentState } = round.session;
    const takesPart = specialistsOfState(machine, currentState, [{ ...specialist, standsAlone }]).length > 0;
    if (!takesPart && !specialist.isHuman) throw new RejectionError(notDeclared(specialistId, currentState));
    return specialist;
  }

  private async known(specialistId: string, { session, roundBegan }: RoundContext) {
    const own = ownSpecialist(session, specialistId);
    if (own) return { specialist: own, standsAlone: false };
    const { category, id } = specialistTarget({ machineName: session.machineName, specialistId });
    const history = await this.log.load<SpecialistEvent>(this.log.streams.of(category, id));
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
    const why = 'a human is never asked by the engine';
    throw new RejectionError(wrongSpecialist(specialistId, why, 'State the choice with transitionName'));
  }
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
