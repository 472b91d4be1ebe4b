import { createHash, timingSafeEqual } from 'node:crypto';
import type { EventLog } from '#lib/event-store';
import { ownMember, reject, type Rejection } from '#lib/kernel';
import { type CommandContext, RejectionError } from '#lib/operations';
import type { PersonTokens } from '#lib/people';
import { specialistsOfState } from '#lib/session';
import {
  type Arbiter,
  type Proposer,
  type ProposerExecution,
  specialistDecider,
  type SpecialistEvent,
  specialistVersion,
  unknownSpecialist,
  versionAt,
} from '#lib/specialist';
import type { RoundContext } from '../round-context.js';
import { ownSpecialist, specialistTarget } from '#lib/specialists';

/** Checks who may act in a session, and finds the version of the specialist. */
export class Proposers {
  constructor(
    private readonly log: EventLog,
    private readonly tokens: PersonTokens,
  ) {}

  /** @throws RejectionError as `actor`, and if it is not a proposer */
  async find(specialistId: string, round: RoundContext, context: CommandContext): Promise<Proposer> {
    const specialist = await this.actor(specialistId, round, context);
    if (specialist.role === 'proposer') return specialist;
    throw new RejectionError(wrongSpecialist(specialistId, 'it is an arbiter', 'Name a proposer'));
  }

  /**
   * A specialist of any role, in the version that takes part in the round.
   * @throws RejectionError if the session's machine has none of this id, it is disabled, or other specialists are declared for the
   * state; for a human also if the caller may not act as them. A person of the machine may act in every state of it.
   */
  async actor(
    specialistId: string,
    round: RoundContext,
    { proof }: CommandContext,
  ): Promise<Proposer | Arbiter> {
    const { specialist, standsAlone } = await this.known(specialistId, round);
    if (!specialist.enabled) throw new RejectionError(disabled(specialistId));
    const { machine, currentState } = round.session;
    const takesPart = specialistsOfState(machine, currentState, [{ ...specialist, standsAlone }]).length > 0;
    if (!takesPart && !specialist.isHuman) throw new RejectionError(notDeclared(specialistId, currentState));
    if (specialist.role === 'arbiter') return specialist;
    if (specialist.isHuman && proof && !(await this.isTheirs(proof.actorToken, specialist, round)))
      throw new RejectionError(notThatHuman(specialistId));
    return specialist;
  }

  /** Whether a token proves who acts as a human: of the person they name, or the one that came with the session they belong to. */
  private async isTheirs(
    token: string | undefined,
    { specialistId, personId }: Proposer,
    { session }: RoundContext,
  ): Promise<boolean> {
    if (token === undefined) return false;
    const isOwn = session.machineVersion === undefined && personId === undefined;
    if (isOwn) return proves(token, ownMember(session.actorTokenHashes, specialistId));
    const person = await this.tokens.personOf(token);
    return person?.personId === (personId ?? specialistId) && person.role !== 'viewer';
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

function proves(token: string, hash: string | undefined): boolean {
  if (hash === undefined) return false;
  return timingSafeEqual(createHash('sha256').update(token).digest(), Buffer.from(hash, 'hex'));
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

function notThatHuman(specialistId: string): Rejection {
  return reject('forbidden', 'not-that-human', {
    what: `acting as ${specialistId}`,
    why: 'the token of the person who acts as them is missing, or belongs to another person',
    fix: "Show that person's token; an operator can give them a new one",
  });
}
