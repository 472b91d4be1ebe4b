import { ownHumanId } from '#lib/people/core';
import type { MachineSpecialist } from '#lib/read-models';
import { ownSpecialists } from '#lib/decisions/registration/core';
import type { SessionContext } from './round-context.js';

type Human = Pick<MachineSpecialist, 'specialistId' | 'personId'>;

/** Whether the human has no registered person: the machine came with the session, and the human is a person in that session alone. */
export function isOwnHuman({ personId }: Human, { machineVersion }: SessionContext): boolean {
  return machineVersion === undefined && personId === undefined;
}

/** The id of the person who acts as a human specialist. */
export function personOfHuman(human: Human, session: SessionContext): string {
  const { specialistId, personId = specialistId } = human;
  return isOwnHuman(human, session) ? ownHumanId(specialistId, session.sessionId ?? '') : personId;
}

/** The ids of all such humans in a session. */
export function ownHumansOf(session: SessionContext): readonly string[] {
  return ownSpecialists(session)
    .filter((one) => one.isHuman && isOwnHuman(one, session))
    .map((human) => personOfHuman(human, session));
}

/** The human specialist as whom a person decides, if there is one: a person of the machine may act in every state of it. */
export function humanOfPerson(
  person: string,
  session: SessionContext,
  registered: readonly MachineSpecialist[],
): MachineSpecialist | undefined {
  return registered.find(
    (one) => one.role === 'proposer' && one.isHuman && one.enabled && personOfHuman(one, session) === person,
  );
}
