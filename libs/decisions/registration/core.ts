export { MachineCatalog } from './machines/machine-catalog.js';
export { readUnproved } from './machines/read-machine.js';
export { declaredProblems, DeclaredSpecialists } from './specialists/declared-specialists.js';
export { overrideRefusal } from './specialists/override-problems.js';
export {
  overridden,
  overriddenBy,
  ownSpecialist,
  ownSpecialists,
  specialistTarget,
} from './specialists/own-specialists.js';
export type { ArbiterRegistration, InNames, ProposerRegistration } from './specialists/register-functions.js';
export { RegistrationChecks } from './specialists/registration-checks.js';
export { SpecialistLookup } from './specialists/specialist-lookup.js';
