import { isNaming } from '#lib/candidates';
import { present } from '#lib/kernel';
import { peopleOf } from '#lib/decisions/machines';
import type { MachineSpecialist, SpecialistRecord } from '#lib/read-models';
import {
  type AlignmentSnapshot,
  type ArbiterRef,
  championFirst,
  DEFAULT_SPECIALIST,
  defaultArbiter,
  engineQuorum,
  lackingSpecialists,
  type Roster,
  specialistsOfState,
} from '#lib/decisions/session';
import type { SessionContext } from '../round-context.js';

/** The specialists of a round. */
export interface RosterFacts {
  /** Every specialist that may take part in the session, in order of registration. */
  readonly registered: readonly MachineSpecialist[];
  readonly alignment: AlignmentSnapshot;
  /** The position of the event that began the round: a proposer disabled later counts in the quorum. */
  readonly roundBegan?: string | undefined;
  /** Built-in specialists fill a role without a registered specialist. */
  readonly withDefaults?: boolean | undefined;
}

/** The specialists that can be asked in a session's current round. */
export function rosterOf(
  session: SessionContext,
  { registered, alignment, roundBegan, withDefaults }: RosterFacts,
): Roster {
  const here = specialistsOfState(session.machine, session.currentState, registered);
  const proposers = championFirst(
    here.filter(isAsked).map(({ specialistId }) => specialistId),
    alignment.scores,
  );
  const arbiter = here.find(({ role }) => role === 'arbiter');
  const quorum = engineQuorum(session, enabledInRound(session, registered, roundBegan).length);
  const lacks = lackingSpecialists(session, registered);
  const roster = {
    proposers,
    ...(arbiter && { arbiter: arbiterRef(arbiter) }),
    alignment,
    quorum,
    ...(lacks.length > 0 && { lacks }),
  };
  return withDefaults ? withDefaultsFor(roster, session, registered) : roster;
}

/** Whether the engine asks this specialist for proposals: a proposer that is no person. */
export function isAsked({ role, isHuman }: Pick<MachineSpecialist, 'role' | 'isHuman'>): boolean {
  return role === 'proposer' && !isHuman;
}

/**
 * The built-in specialist for each role without a registered specialist, enabled or not. Where the definition names the people
 * who decide, they are asked in place of the built-in proposer.
 */
function withDefaultsFor(
  roster: Roster,
  context: SessionContext,
  registered: readonly MachineSpecialist[],
): Roster {
  const lacks = (role: MachineSpecialist['role']) => registered.every((one) => one.role !== role);
  const asksDefault = lacks('proposer') && !isNaming(peopleOf(context.machine, context.currentState));
  return {
    ...roster,
    ...(asksDefault && { proposers: [DEFAULT_SPECIALIST], quorum: engineQuorum(context, 1) }),
    ...(lacks('arbiter') && { arbiter: defaultArbiter }),
  };
}

/** The proposers that count in the quorum. Those that failed, or were disabled since the round began, count: neither makes a decision easier. */
function enabledInRound(
  { machine, currentState }: SessionContext,
  registered: readonly MachineSpecialist[],
  roundBegan: string | undefined,
): readonly MachineSpecialist[] {
  const inRound = registered.map((one) => ({
    ...one,
    enabled: one.enabled || isDisabledSince(one, roundBegan),
  }));
  return specialistsOfState(machine, currentState, inRound).filter(isAsked);
}

/** Whether a proposer is disabled, and was disabled after this position. */
export function isDisabledSince(
  { disabledPosition }: Pick<MachineSpecialist, 'disabledPosition'>,
  position: string | undefined,
): boolean {
  return disabledPosition !== undefined && position !== undefined && disabledPosition > position;
}

/** The reference to a registered arbiter in a round. */
export function arbiterRef({
  specialistId,
  version,
  strategyFnName,
  strategyWebhookUrl,
  webhookTokenName,
  threshold,
  trust,
}: SpecialistRecord): ArbiterRef {
  return {
    specialistId,
    specialistVersion: version,
    ...present({ strategyFnName, strategyWebhookUrl, webhookTokenName, threshold, trust }),
  };
}
