import { derivedId, ownMember, type Rejection } from '#lib/kernel';
import { hasTimes } from '#lib/candidates';
import { hasOwnSpecialists, machineHash, peopleOf } from '#lib/decisions/machines';
import type { ForkSession } from '../session.commands.js';
import type { SessionEvent } from '../session.events.js';
import * as refusal from '../session.rejections.js';
import { currentRound, type Session } from '../session.state.js';
import { waitClockId } from '../time/clocks.js';

/** @param session as the copied events leave it */
export function forkSession({ data }: ForkSession, session: Session): readonly SessionEvent[] | Rejection {
  const { effects, machine, metaJson, specialists } = data;
  if (session.isClosed) return refusal.closedThere();
  if (machine && !ownMember(machine.states, session.currentState))
    return refusal.stateGone(session.currentState);
  const { roundId } = currentRound(session);
  const forked: SessionEvent = {
    type: 'SessionForked',
    data: {
      roundId,
      effects,
      ...(machine && machineOf(machine, session)),
      ...(metaJson !== undefined && { metaJson }),
      ...(specialists && { specialists }),
    },
  };
  return [forked, ...askedAgain(session, machine !== undefined), ...timedAgain(session)];
}

/** A machine that declares no specialists has those of the session. */
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

/** Ids of runs follow from the fork: each fork asks by runs of its own. */
function askedAgain(session: Session, isOtherMachine: boolean): readonly SessionEvent[] {
  const again = (runId: string) => derivedId(session.sessionId, `again ${runId}`);
  const solicited = session.solicitations.map((open): SessionEvent => {
    const { roundId, specialistId, specialistVersion, given, solicitationId } = open;
    const data = { solicitationId: again(solicitationId), roundId, specialistId, specialistVersion, given };
    return { type: 'ProposalSolicited', data };
  });
  // With another machine the arbiter, and what it would be asked, may differ: the next step asks anew.
  const requested = isOtherMachine ? [] : session.arbitrations;
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

/** A wait that has times has them from the fork on. */
function timedAgain(session: Session): readonly SessionEvent[] {
  const { machine, currentState, awaitsHuman, waits, waitClocks, clocks } = session;
  if (!awaitsHuman || !(clocks.wait !== undefined || hasTimes(peopleOf(machine, currentState)))) return [];
  const { roundId } = currentRound(session);
  return [
    { type: 'ClockStarted', data: { roundId, clockId: waitClockId(session, waits, waitClocks.length) } },
  ];
}
