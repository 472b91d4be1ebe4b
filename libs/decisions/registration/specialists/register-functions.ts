import type { ArbiterFn, ArbiterFunctions } from '#lib/decisions/arbitration';
import type { ContextFn, ProposerFunctions, StrategyFn } from '#lib/decisions/solicitation';
import { RejectionError } from '#lib/operations/core';
import {
  registrationRefusal,
  specialistStreamId,
  type RegistrationWithFunctions,
  type SpecialistRegistration,
} from '#lib/decisions/specialists';

/** A proposer as code registers it: with a function or its name. A function gets the name `<machine>/<id>`. */
export type ProposerRegistration = Omit<SpecialistRegistration, 'role' | 'threshold'> & {
  readonly strategyFn?: StrategyFn;
  readonly contextFn?: ContextFn;
};

/** An arbiter as code registers it: its function is known as `<machine>/<id>`. */
export type ArbiterRegistration = Omit<SpecialistRegistration, 'role'> & {
  readonly strategyFn?: ArbiterFn;
};

/**
 * Registers the functions of a proposer in this process, as `<machine>/<id>` and in place of earlier ones, and gives the registration
 * for the log, which names them.
 * @throws RejectionError when the registration breaks a rule: nothing is registered then
 */
export function registerFunctions(
  functions: ProposerFunctions,
  registration: ProposerRegistration,
): SpecialistRegistration {
  const { strategyFn, contextFn, ...named } = registration;
  const name = specialistStreamId(named);
  refuseBroken({ ...registration, role: 'proposer' });
  if (strategyFn || contextFn) functions.unregister(name);
  if (strategyFn) functions.registerStrategy(name, strategyFn);
  if (contextFn) functions.registerContext(name, contextFn);
  return {
    ...named,
    role: 'proposer',
    ...(strategyFn && { strategyFnName: name }),
    ...(contextFn && { contextFnName: name }),
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
  const name = specialistStreamId(named);
  refuseBroken({ ...registration, role: 'arbiter' });
  if (!strategyFn) return { ...named, role: 'arbiter' };
  functions.unregister(name);
  functions.registerArbiter(name, strategyFn);
  return { ...named, role: 'arbiter', strategyFnName: name };
}

function refuseBroken(registration: RegistrationWithFunctions): void {
  const refusal = registrationRefusal(registration);
  if (refusal) throw new RejectionError(refusal);
}
