import type { SpecialistDeclaration } from '#lib/decisions/machines';

/** The registration of a specialist: the body of `POST /v1/specialists`. */
export type SpecialistRegistration = SpecialistDeclaration & { readonly machineName: string };

/** A registration by code: a function may replace its name. */
export type RegistrationWithFunctions = SpecialistRegistration & {
  readonly strategyFn?: unknown;
  readonly contextFn?: unknown;
};
