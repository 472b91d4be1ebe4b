import { derivedId, ownMember, present, type Rejection } from '#lib/kernel';
import { excludesCreator, hasTimes } from '#lib/candidates';
import {
  declaredSpecialists,
  hasOwnSpecialists,
  isAtRest,
  machineHash,
  peopleOf,
  peoplePolicies,
} from '#lib/decisions/machines';
import type { ForkSession } from '../session.commands.js';
import type { SessionEvent } from '../session.events.js';
import { evolveSession } from '../session.evolve.js';
import { lackingSpecialists, whyLacking } from '../process/lacking-specialists.js';
import * as refusal from '../session.rejections.js';
import { currentRound, type Session } from '../session.state.js';
import { MOST_TIMED, waitClockId } from '../time/clocks.js';

/** @param session after the copied events */
export function forkSession({ data }: ForkSession, session: Session): readonly SessionEvent[] | Rejection {
  const { effects, by, freshRound, machine, metaJson, specialists, lacks } = data;
  if (session.isClosed) return refusal.closedThere();
  if (machine && !ownMember(machine.states, session.currentState))
    return refusal.stateGone(session.currentState);
  if (freshRound && isCreatorLacking(data, session)) return refusal.creatorUnknown(session.machineName);
  const { roundId } = currentRound(session);
  const forked = {
    type: 'SessionForked',
    data: {
      roundId,
      effects,
      ...(by !== undefined && { by }),
      ...(freshRound && { freshRound }),
      ...(machine && machineOf(machine, session)),
      ...present({ metaJson, specialists, lacks }),
    },
  } as const;
  const lacking = lackingSpecialists(evolveSession(session, forked) ?? session);
  if (lacking.length === 0 || isAtRest(machine ?? session.machine, session.currentState))
    return [forked, ...askedAgain(session, data), ...timedAgain(session, data)];
  if (session.awaitsHuman) return [forked, ...timedAgain(session, data)];
  const detail = whyLacking(lacking);
  return [forked, { type: 'HumanInputRequested', data: { roundId, reason: 'cannot-ask', detail } }];
}

/** A machine without specialists gets those of the session. */
function machineOf(named: NonNullable<ForkSession['data']['machine']>, session: Session) {
  const given = { ...named, machineName: session.machineName };
  if (hasOwnSpecialists(given)) return { machine: given, machineHash: machineHash(given) };
  const { machineVersion } = session;
  const { specialists } = session.machine;
  const machine = { ...given, ...(specialists && { specialists }) };
  return {
    machine,
    machineHash: machineHash(machine),
    ...(machineVersion !== undefined && { machineVersion }),
  };
}

/**
 * The requests of the fork's open proposals and arbitrations. Ids of runs are derived from the fork, so each fork has its own
 * runs. In a fork from another log, the next step asks specialists registered with an operation: their versions belong to that
 * log.
 */
function askedAgain(session: Session, { machine, lacks }: ForkSession['data']): readonly SessionEvent[] {
  const declared = lacks && machine ? declaredSpecialists(machine) : [];
  const isHere = (id: string) =>
    !lacks || declared.some(({ declaration }) => declaration.specialistId === id);
  const open = session.solicitations.filter(({ specialistId }) => isHere(specialistId));
  const again = (runId: string) => derivedId(session.sessionId, `again ${runId}`);
  const solicited = open.map((one): SessionEvent => {
    const { roundId, specialistId, specialistVersion, given, solicitationId } = one;
    const data = { solicitationId: again(solicitationId), roundId, specialistId, specialistVersion, given };
    return { type: 'ProposalSolicited', data };
  });
  // With another machine the arbiter or its input may differ: the next step asks it.
  const requested = machine || lacks ? [] : session.arbitrations;
  return [
    ...solicited,
    ...requested.map(({ arbitrationId, roundId, given, basis }): SessionEvent => {
      return {
        type: 'ArbitrationRequested',
        data: { arbitrationId: again(arbitrationId), roundId, given, ...basis },
      };
    }),
  ];
}

/** The machine of the fork excludes the creator, and the session may not have recorded one. */
function isCreatorLacking({ by, machine }: ForkSession['data'], session: Session): boolean {
  const isKnown = by !== undefined || session.creators.length > 0;
  return !isKnown && peoplePolicies(machine ?? session.machine).some(excludesCreator);
}

/** The times of a wait begin again at the fork. */
function timedAgain(session: Session, data: ForkSession['data']): readonly SessionEvent[] {
  const { waits, waitClocks } = session;
  const { roundId } = currentRound(session);
  if (data.freshRound && isTimed(session, data))
    return [{ type: 'ClockStarted', data: { roundId, clockId: waitClockId(session, waits), timed: true } }];
  if (data.freshRound || !hadWaitClock(session)) return [];
  return [
    { type: 'ClockStarted', data: { roundId, clockId: waitClockId(session, waits, waitClocks.length) } },
  ];
}

function isTimed(session: Session, { machine = session.machine }: ForkSession['data']): boolean {
  const { currentState, waits, isExpired, timedInARow } = session;
  const isOpen = waits > 0 && !isExpired && !isAtRest(machine, currentState);
  return isOpen && timedInARow < MOST_TIMED && hasTimes(peopleOf(machine, currentState));
}

/** As before 0.3.1: the clock decides nothing by itself. */
function hadWaitClock({ machine, currentState, awaitsHuman, clocks }: Session): boolean {
  return awaitsHuman && (clocks.wait !== undefined || hasTimes(peopleOf(machine, currentState)));
}
