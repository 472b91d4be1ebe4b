import { createHash, timingSafeEqual } from 'node:crypto';
import { reject, type Rejection } from '#lib/kernel';
import {
  type Arbiter,
  type Proposer,
  type ProposerExecution,
  specialistDecider,
  specialistVersion,
  unknownSpecialist,
} from '#lib/specialist';
import type { Call } from '../write-side/call.js';
import type { CommandWriter } from '../write-side/command-writer.js';
import { RejectionError } from '../write-side/rejection-error.js';
import { specialistTarget } from './specialist-target.js';

/** Who may propose in a session, and on whose word. */
export class Proposers {
  constructor(private readonly writer: CommandWriter) {}

  /** @throws RejectionError when the machine has none, it is of another role, or the caller may not act as this human */
  async find(specialistId: string, machineName: string, call: Call): Promise<Proposer> {
    const specialist = await this.actor(specialistId, machineName, call);
    if (specialist.role === 'proposer') return specialist;
    throw new RejectionError(wrongSpecialist(specialistId, 'it is an arbiter', 'Name a proposer'));
  }

  /** As `find`, of any role. */
  async actor(specialistId: string, machineName: string, { proof }: Call): Promise<Proposer | Arbiter> {
    const target = specialistTarget({ machineName, specialistId });
    const specialist = specialistVersion(await this.writer.state(specialistDecider, target));
    if (!specialist) throw new RejectionError(unknownSpecialist(specialistId));
    if (!specialist.enabled) throw new RejectionError(disabled(specialistId));
    if (specialist.role === 'arbiter') return specialist;
    if (specialist.isHuman && proof && !proves(proof.actorToken, specialist.actorTokenHash)) {
      throw new RejectionError(notThatHuman(specialistId));
    }
    return specialist;
  }

  /** How a proposer is asked. @throws RejectionError for a human: they are never asked by the engine */
  executionOf({ specialistId, isHuman, execution }: Proposer): ProposerExecution {
    if (execution && !isHuman) return execution;
    const why = 'a human is never asked by the engine';
    throw new RejectionError(wrongSpecialist(specialistId, why, 'State the choice with transitionName'));
  }
}

function proves(token: string | undefined, hash: string | undefined): boolean {
  if (token === undefined || hash === undefined) return false;
  return timingSafeEqual(createHash('sha256').update(token).digest(), Buffer.from(hash, 'hex'));
}

function wrongSpecialist(specialistId: string, why: string, fix: string): Rejection {
  return reject('refused', 'wrong-specialist', {
    errorClass: 'WrongSpecialist',
    what: `specialist ${specialistId}`,
    why,
    fix,
  });
}

function disabled(specialistId: string): Rejection {
  return reject('refused', 'specialist-disabled', {
    errorClass: 'SpecialistDisabled',
    what: `specialist ${specialistId}`,
    why: 'it is disabled, and takes no part',
    fix: 'Enable it first, or act as another one',
  });
}

function notThatHuman(specialistId: string): Rejection {
  return reject('forbidden', 'not-that-human', {
    errorClass: 'NotThatHuman',
    what: `acting as ${specialistId}`,
    why: 'the actor token is missing or not theirs',
    fix: 'Send the token from their registration in Redial-Actor-Token',
  });
}
