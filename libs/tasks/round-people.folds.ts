import { CREATOR, excludedPeople, type PeoplePolicy, PROPOSERS } from '#lib/candidates';
import {
  type DeclaredSpecialist,
  declaredSpecialists,
  type MachineDefinition,
  peopleOf,
  peoplePolicies,
} from '#lib/decisions/machines';
import { declaredIds, type SessionCreated } from '#lib/decisions/session';
import { ownHumanId } from '#lib/people/core';
import { type FoldPage, sessionMachines, sessions, specialistName } from '#lib/read-models';
import { type AudienceWords, humanWord, machineWord, personWord } from './audience.js';
import { taskSessions } from './tasks.tables.js';

function machineIn(page: FoldPage, sessionId: string) {
  const session = page.see(sessions, sessionId);
  const machine = session && page.see(sessionMachines, session.machineHash)?.definition;
  if (!machine) throw new TypeError(`session ${sessionId} was never created`);
  return { ...session, machine: machine as MachineDefinition };
}

/** The policy of the state in which the session is. */
export function policyIn(page: FoldPage, sessionId: string): PeoplePolicy | undefined {
  const { machine, currentState } = machineIn(page, sessionId);
  return peopleOf(machine, currentState);
}

/** The people whom a round asks. */
export function askedIn(page: FoldPage, sessionId: string, roundId: string) {
  const policy = policyIn(page, sessionId);
  const excluded = excludedIn(page, sessionId, roundId, policy);
  return { policy, otherwise: humansIn(page, sessionId), excluded };
}

/** The people who may not decide a round; undefined for none. */
export function excludedIn(
  page: FoldPage,
  sessionId: string,
  roundId: string,
  policy: PeoplePolicy | undefined,
): readonly string[] | undefined {
  const { creators, stated } = page.see(taskSessions, sessionId) ?? {};
  const proposers = stated?.roundId === roundId ? stated.by : [];
  const excluded = excludedPeople(policy, { creators: creators ?? [], proposers });
  return excluded.length > 0 ? excluded : undefined;
}

/** The people who have given an approval in a round; undefined for none. */
export function giversIn(page: FoldPage, sessionId: string, roundId: string): readonly string[] | undefined {
  const given = page.see(taskSessions, sessionId)?.given;
  return given?.roundId === roundId ? given.by : undefined;
}

/** Whether a session may exclude people by words: a fork may have another machine from its `SessionForked` on. */
export function mayExclude({ machine, forkedFrom }: SessionCreated['data']): boolean {
  return forkedFrom !== undefined || excludesByWord(machine);
}

function excludesByWord(machine: MachineDefinition): boolean {
  return peoplePolicies(machine).some(({ exclude = [] }) =>
    exclude.some((one) => one === CREATOR || one === PROPOSERS),
  );
}

/**
 * The human proposers of the state as its machine declares them; if it declares no proposers, those registered with an operation.
 * Those of a machine that came with its session are people of that session; others count while they are enabled.
 */
export function humansIn(page: FoldPage, sessionId: string): AudienceWords {
  const { machine, machineName, machineVersion, currentState } = machineIn(page, sessionId);
  const ids = declaredIds(machine, currentState, 'proposer');
  if (!ids) return [machineWord(machineName)];
  const humans = declaredSpecialists(machine).filter((one) => isHumanProposer(one, ids));
  const isRegistered = machineVersion !== undefined && machineVersion !== null;
  const words = humans.flatMap(({ declaration: { personId, specialistId, disabled } }) => {
    if (isRegistered)
      return humanWord(specialistName({ machineName, specialistId }), personId ?? specialistId);
    return disabled ? [] : personWord(personId ?? ownHumanId(specialistId, sessionId));
  });
  return [...new Set(words)].toSorted();
}

function isHumanProposer({ declaration }: DeclaredSpecialist, ids: ReadonlySet<string>): boolean {
  const { role, isHuman, specialistId } = declaration;
  return role === 'proposer' && isHuman === true && ids.has(specialistId);
}
