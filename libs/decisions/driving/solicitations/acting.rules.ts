import { reject, type Rejection } from '#lib/kernel';
import { type Candidate, type Session, specialistsOfState } from '#lib/decisions/session';

/** The reason why a specialist does not act in the state of a session; `undefined` if it may. A person of the machine may act in every state. */
export function whyNotActing(
  specialist: Candidate,
  { machine, currentState }: Pick<Session, 'machine' | 'currentState'>,
): Rejection | undefined {
  const { specialistId, enabled, isHuman } = specialist;
  if (!enabled) return disabled(specialistId);
  const takesPart = specialistsOfState(machine, currentState, [specialist]).length > 0;
  return takesPart || isHuman ? undefined : notDeclared(specialistId, currentState);
}

export function notAProposer(specialistId: string): Rejection {
  return wrongSpecialist(specialistId, 'it is an arbiter', 'Name a proposer');
}

export function notAsked(specialistId: string): Rejection {
  const why = 'a human is never asked by the engine';
  return wrongSpecialist(specialistId, why, 'State the choice with transitionName');
}

function wrongSpecialist(specialistId: string, why: string, fix: string): Rejection {
  return reject('refused', 'wrong-specialist', {
    what: `specialist ${specialistId}`,
    why,
    fix,
  });
}

function notDeclared(specialistId: string, state: string): Rejection {
  const why = `the machine declares others of its role for state ${state}, and only those take part`;
  return wrongSpecialist(specialistId, why, 'Declare it in the machine, or name one that is declared');
}

function disabled(specialistId: string): Rejection {
  return reject('refused', 'specialist-disabled', {
    what: `specialist ${specialistId}`,
    why: 'it is disabled, and takes no part',
    fix: 'Enable it first, or act as another one',
  });
}
