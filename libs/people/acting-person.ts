import { reject, type Rejection } from '#lib/kernel';
import type { PersonState } from './people.decider.js';

/** Why a caller cannot decide or answer as this person; `undefined` if they can. A person who was deleted is not registered. */
export function cannotAct(personId: string, person: PersonState): Rejection | undefined {
  if (!person) return unregistered(personId);
  return person.role === 'viewer' ? isViewer(personId) : undefined;
}

function unregistered(personId: string): Rejection {
  return reject('refused', 'unknown-person', {
    what: `acting as ${personId}`,
    why: 'no person is registered under this id',
    fix: 'Check the id, or register the person as a reviewer',
  });
}

function isViewer(personId: string): Rejection {
  return reject('forbidden', 'role', {
    errorClass: 'RoleTooLow',
    what: `acting as ${personId}`,
    why: 'the person is a viewer, who may not decide or answer',
    fix: 'Act as a reviewer or an operator',
  });
}
