import type { SpecialistDeclaration } from '#lib/machine';

/** How a specialist is registered: the body of `POST /v1/specialists`. */
export type SpecialistRegistration = SpecialistDeclaration & { readonly machineName: string };

/** A registration as code may write it: a function may stand in place of its name. */
export type RegistrationWithFunctions = SpecialistRegistration & {
  readonly strategyFn?: unknown;
  readonly contextFn?: unknown;
};
