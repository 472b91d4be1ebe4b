import { reject, type Rejection } from '#lib/kernel';
import { refuse } from '../write-side/rejection-error.js';
import type { Role } from './access.js';

/** Each role has the rights of those with lower ones. */
const RIGHTS: { readonly [one in Role]: number } = { viewer: 0, reviewer: 1, operator: 2 };

/** @throws RejectionError `role` for a caller whose role lacks the rights of `needed` */
export function checkRole(role: Role, needed: Role): void {
  if (RIGHTS[role] < RIGHTS[needed]) refuse(roleTooLow(role, needed));
}

function roleTooLow(role: Role, needed: Role): Rejection {
  return reject('forbidden', 'role', {
    errorClass: 'RoleTooLow',
    what: 'the call',
    why: `it needs the role ${needed}, and the token is a ${role}'s`,
    fix: 'Use the token of a person with that role, or of the server',
  });
}
