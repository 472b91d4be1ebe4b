import type { ArbiterFn, ArbiterFunctions, ContextFn, ProposerFunctions, StrategyFn } from '#lib/activities';
import {
  registrationRefusal,
  type RegistrationWithFunctions,
  type SpecialistRegistration,
} from '#lib/specialist';
import { RejectionError } from '../write-side/rejection-error.js';

/** A proposer as code registers it: a function may stand in place of a name. It is known under the specialist's id then. */
export type ProposerRegistration = Omit<SpecialistRegistration, 'role' | 'threshold'> & {
  readonly strategyFn?: StrategyFn;
  readonly contextFn?: ContextFn;
};

/** An arbiter as code registers it: its function is known under its id. */
export type ArbiterRegistration = Omit<SpecialistRegistration, 'role'> & {
  readonly strategyFn?: ArbiterFn;
};

/**
 * Registers the functions of a proposer in this process, under its id and in place of earlier ones, and gives the registration
 * for the log, which names them.
 * @throws RejectionError when the registration breaks a rule: nothing is registered then
 */
export function registerFunctions(
  functions: ProposerFunctions,
  registration: ProposerRegistration,
): SpecialistRegistration {
  const { strategyFn, contextFn, ...named } = registration;
  const { specialistId } = named;
  refuseBroken({ ...registration, role: 'proposer' });
  if (strategyFn || contextFn) functions.unregister(specialistId);
  if (strategyFn) functions.registerStrategy(specialistId, strategyFn);
  if (contextFn) functions.registerContext(specialistId, contextFn);
  return {
    ...named,
    role: 'proposer',
    ...(strategyFn && { strategyFnName: specialistId }),
    ...(contextFn && { contextFnName: specialistId }),
  };
}

/**
 * The same for an arbiter.
 * @throws RejectionError when the registration breaks a rule: nothing is registered then
 */
export function registerArbiterFunction(
  functions: ArbiterFunctions,
  registration: ArbiterRegistration,
): SpecialistRegistration {
  const { strategyFn, ...named } = registration;
  const { specialistId } = named;
  refuseBroken({ ...registration, role: 'arbiter' });
  if (!strategyFn) return { ...named, role: 'arbiter' };
  functions.unregister(specialistId);
  functions.registerArbiter(specialistId, strategyFn);
  return { ...named, role: 'arbiter', strategyFnName: specialistId };
}

function refuseBroken(registration: RegistrationWithFunctions): void {
  const refusal = registrationRefusal(registration);
  if (refusal) throw new RejectionError(refusal);
}
