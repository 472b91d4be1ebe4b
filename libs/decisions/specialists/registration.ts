import type { SpecialistDeclaration } from '#lib/decisions/machines';

/** How a specialist is registered: the body of `POST /v1/specialists`. */
export type SpecialistRegistration = SpecialistDeclaration & { readonly machineName: string };

/** A registration in code: a function may take the place of its name. */
export type RegistrationWithFunctions = SpecialistRegistration & {
  readonly strategyFn?: unknown;
  readonly contextFn?: unknown;
};
