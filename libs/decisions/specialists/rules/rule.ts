import { reject, type Rejection } from '#lib/kernel';
import type { RegistrationWithFunctions } from '../registration.js';

/** A rule that a registration can break, and its fix. */
export type Rule = readonly [
  broken: (registration: RegistrationWithFunctions) => boolean,
  why: string,
  fix: string,
];

/** The first rule that is broken, in words. @param code of the rules */
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
