import type { ArbiterFn, ArbiterFunctions } from '#lib/decisions/arbitration';
import type { ContextFn, ProposerFunctions, StrategyFn } from '#lib/decisions/solicitation';
import { RejectionError } from '#lib/operations/core';
import {
  registrationRefusal,
  specialistStreamId,
  type RegistrationWithFunctions,
  type SpecialistRegistration,
} from '#lib/decisions/specialists';

/** A proposer registered by code: with a function or its name. A function gets the name `<machine>/<id>`. */
export type ProposerRegistration = Omit<SpecialistRegistration, 'role' | 'threshold'> & {
  readonly strategyFn?: StrategyFn;
  readonly contextFn?: ContextFn;
};

/** An arbiter registered by code: its function gets the name `<machine>/<id>`. */
export type ArbiterRegistration = Omit<SpecialistRegistration, 'role'> & {
  readonly strategyFn?: ArbiterFn;
};

/** A registration by code: a function may be in its own member, or in the member of its name. */
export type InNames<R extends { readonly strategyFn?: unknown; readonly contextFn?: unknown }> = Omit<
  R,
  'strategyFnName' | 'contextFnName'
> & {
  readonly strategyFnName?: string | NonNullable<R['strategyFn']>;
  readonly contextFnName?: string | NonNullable<R['contextFn']>;
};

/** The registration with functions in their own members. A function in both members stays in both, and is refused. */
export function inOwnMembers<R extends ProposerRegistration | ArbiterRegistration>(
  registration: InNames<R>,
): R {
  const { strategyFnName, contextFnName } = registration;
  const isStrategy = typeof strategyFnName === 'function' && registration.strategyFn === undefined;
  const isContext = typeof contextFnName === 'function' && !('contextFn' in registration);
  const moved: { [member: string]: unknown } = { ...registration };
  if (isStrategy) moved['strategyFn'] = strategyFnName;
  if (isStrategy) delete moved['strategyFnName'];
  if (isContext) moved['contextFn'] = contextFnName;
  if (isContext) delete moved['contextFnName'];
  return moved as R;
}

/**
 * Registers the functions of a proposer in this process as `<machine>/<id>`, in place of earlier ones, and returns the
 * registration with their names, for the log.
 * @throws RejectionError if the registration breaks a rule: then nothing is registered
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
 * As `registerFunctions`, for an arbiter.
 * @throws RejectionError if the registration breaks a rule: then nothing is registered
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
