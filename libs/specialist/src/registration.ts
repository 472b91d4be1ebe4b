import type { SpecialistDeclaration } from '#lib/machine';

/** How a specialist is registered: the body of `POST /v1/specialists`. */
export type SpecialistRegistration = Omit<SpecialistDeclaration, 'disabled'> & {
  readonly machineName: string;
};
