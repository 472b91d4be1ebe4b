import { derivedId, fold, isRejection, isUuid } from '#lib/kernel';
import { declaredSpecialists, type MachineDefinition } from '#lib/decisions/machines';
import { ownSpecialists } from '#lib/decisions/registration/core';
import {
  currentRound,
  sessionDecider,
  type SessionEvent,
  sessionEventDefinitions,
  withClocks,
} from '#lib/decisions/session';
import { ImpossibleHistory, type Stated, usualMembers } from './usual-members.js';

/** An event of a session; members that are left out are filled in. */
export type GivenEvent = {
  readonly [Type in SessionEvent['type']]: {
    readonly type: Type;
    readonly data?: Partial<Extract<SessionEvent, { readonly type: Type }>['data']>;
  };
}[SessionEvent['type']];

/** A machine of a test, and its specialists in their first versions. */
export type Setting = ReturnType<typeof settingOf>;

/** The machine is one that was defined: its version is the first one. */
export function settingOf(machine: MachineDefinition) {
  const ids = declaredSpecialists(machine).map(({ declaration }) => declaration.specialistId);
  return {
    machine,
    sessionId: 'session',
    specialists: ownSpecialists({ machine }),
    specialistVersions: Object.fromEntries(ids.map((id) => [id, 1])),
  };
}

/** The events of a session, whole. Without `SessionCreated` at their beginning, the session has just been created. @throws ImpossibleHistory */
export function historyOf(
  given: readonly GivenEvent[],
  setting: Setting,
  sessionId: string,
): readonly SessionEvent[] {
  const [first, ...others] = given;
  const isCreation = first?.type === 'SessionCreated';
  const stated = isCreation ? first.data : {};
  const begun = { ...stated, sessionId: uuidOf(stated?.sessionId ?? sessionId) };
  let events = [created(begun, setting)];
  for (const event of isCreation ? others : given) events = [...events, whole(event, events, setting)];
  return events;
}

/** The id of a session that a test names with this text: rules derive further ids only from UUIDs. */
export function uuidOf(sessionId: string): string {
  return isUuid(sessionId) ? sessionId : derivedId(NO_ID, sessionId);
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

type Created = Extract<SessionEvent, { readonly type: 'SessionCreated' }>;

function created(
  data: Partial<Created['data']> & { readonly sessionId: string },
  setting: Setting,
): SessionEvent {
  const { machine, specialistVersions } = setting;
  const asked = { roundId: 'round-1', machineVersion: 1, specialistVersions, ...data, machine };
  const decided = sessionDecider.decide({ type: 'CreateSession', data: asked }, null);
  if (isRejection(decided))
    throw new ImpossibleHistory('SessionCreated', decided.message, 'State its members in the history');
  return { type: 'SessionCreated', data: { ...(decided[0] as Created).data, ...data } };
}

function whole(event: GivenEvent, before: readonly SessionEvent[], { specialists }: Setting): SessionEvent {
  const { type, data = {} } = event;
  const revision = before.length;
  const session = fold(sessionDecider, before);
  if (!session || !Object.hasOwn(sessionEventDefinitions, type) || type === 'SessionCreated')
    throw new ImpossibleHistory(`event ${revision}`, `a session has no ${type} there`, 'Correct its type');
  const usual = usualMembers[type]?.(data as Stated, { session, specialists, revision });
  const { roundId } = currentRound(session);
  const filled = { type, data: { roundId, ...usual, ...data } } as SessionEvent;
  return withClocks([filled], session)[0] ?? filled;
}
