import { reject, type Rejection } from '#lib/kernel';
import type { RegistrationWithFunctions } from '../registration.js';

/** A rule of registrations, and the fix of a broken one. */
export type Rule = readonly [
  broken: (registration: RegistrationWithFunctions) => boolean,
  why: string,
  fix: string,
];

/** The first broken rule, as text. @param code of the rules */
export function firstBroken(
  rules: readonly Rule[],
  registration: RegistrationWithFunctions,
  code: 'execution-mode' | 'invalid-specialist',
): Rejection | undefined {
  const [, why, fix] = rules.find(([broken]) => broken(registration)) ?? [];
  if (why === undefined || fix === undefined) return undefined;
  const what = `${registration.role} ${registration.specialistId}`;
  return reject('refused', code, { errorClass: 'InvalidSpecialist', what, why, fix });
}
