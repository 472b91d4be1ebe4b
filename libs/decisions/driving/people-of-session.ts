import { ownHumanId } from '#lib/people/core';
import type { MachineSpecialist } from '#lib/read-models';
import { ownSpecialists } from '#lib/decisions/registration/core';
import type { SessionContext } from './round-context.js';

/** The id of the person who acts as a human specialist. */
export function personOfHuman(
  { specialistId, personId }: Pick<MachineSpecialist, 'specialistId' | 'personId'>,
  { machineVersion, sessionId = '' }: SessionContext,
): string {
  const isOwn = machineVersion === undefined && personId === undefined;
  return isOwn ? ownHumanId(specialistId, sessionId) : (personId ?? specialistId);
}

/** The humans of a machine that came with its session, who are people in that session alone. */
export function ownHumansOf(session: SessionContext): readonly string[] {
  return ownSpecialists(session)
    .filter(({ isHuman, personId }) => isHuman && personId === undefined)
    .map((human) => personOfHuman(human, session));
}

/** The human specialist as whom a person decides, if they have one: a person of the machine may act in every state of it. */
export function humanOfPerson(
  person: string,
  session: SessionContext,
  registered: readonly MachineSpecialist[],
): MachineSpecialist | undefined {
  return registered.find(
    (one) => one.role === 'proposer' && one.isHuman && one.enabled && personOfHuman(one, session) === person,
  );
}
