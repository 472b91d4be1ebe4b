import { isDisabledSince } from '#lib/decisions/driving/core';
import { ownSpecialists } from '#lib/decisions/registration/core';
import {
  type AlignmentSnapshot,
  type ArbitrationRequested,
  type ConsensusNotReached,
  type ConsensusReached,
  DEFAULT_SPECIALIST,
  type HumanOverrideAccepted,
  type Session,
  sessionDecider,
  type SessionEvent,
  type SessionState,
  type TransitionExecuted,
} from '#lib/decisions/session';
import { DECIDING_RULE, scoringRules } from '#lib/decisions/specialists';
import { fold, type RecordedEvent } from '#lib/kernel';
import type { MachineSpecialist } from '#lib/read-models';
import type { RoundFacts } from './round-side.rules.js';
import { simulateRound, type SimulatedRound } from './simulate-round.rules.js';
import type { Conditions } from './simulation-settings.js';

type Recorded = RecordedEvent<SessionEvent>;
type Executed = RecordedEvent<TransitionExecuted>;
type Judgement = ArbitrationRequested | ConsensusReached | ConsensusNotReached;

/** The alignment before the first recorded snapshot. */
const UNSCORED: AlignmentSnapshot = {
  rule: DECIDING_RULE.name,
  ruleVersion: scoringRules[DECIDING_RULE.name].version,
  scores: [],
};

/** Takes the events of a session in order, and simulates each of its rounds separately. Memory holds the events of one round. */
export class SessionSimulation {
  #start: SessionState = sessionDecider.initialState;
  #roundBegan: Recorded | undefined;
  #round: Recorded[] = [];
  #alignment = UNSCORED;
  /** All specialists that may take part, until a fork changes the machine or the specialists. */
  #known: { readonly session: Session; readonly registered: readonly MachineSpecialist[] } | undefined;

  /** @param shared the specialists that may take part, without those of the session's own machine */
  constructor(
    private readonly conditions: Conditions,
    private readonly shared: readonly MachineSpecialist[],
  ) {}

  /** @returns the simulation of the round, if the event decides one */
  take(event: Recorded): (() => SimulatedRound) | undefined {
    const start = this.#start;
    if (start !== null && event.type !== 'TransitionExecuted') {
      this.#round.push(event);
      return undefined;
    }
    const events = this.#round;
    this.#start = fold(sessionDecider, [...events, event], start);
    this.#round = [];
    const simulated =
      start && event.type === 'TransitionExecuted' ? this.#simulation(start, events, event) : undefined;
    this.#alignment = events.findLast(hasAlignment)?.data.alignment ?? this.#alignment;
    this.#roundBegan = event;
    return simulated;
  }

  #simulation(start: Session, events: readonly Recorded[], executed: Executed): () => SimulatedRound {
    const alignment = this.#alignment;
    const began = this.#roundBegan?.position;
    const registered = this.#registeredIn(start);
    return () => {
      const facts = factsOf(registered, events, began);
      return simulateRound({ start, events, executed: executed.data, alignment, facts }, this.conditions);
    };
  }

  #registeredIn(session: Session): readonly MachineSpecialist[] {
    const known = this.#known;
    if (known?.session.machine === session.machine && known.session.fork === session.fork)
      return known.registered;
    const own = ownSpecialists(session);
    const registered = [
      ...own,
      ...this.shared.filter(({ specialistId }) => own.every(isOther(specialistId))),
    ];
    this.#known = { session, registered };
    return registered;
  }
}

/** The specialists of a round at its time: registered and enabled then, as far as the record shows. */
function factsOf(
  registered: readonly MachineSpecialist[],
  events: readonly Recorded[],
  began: string | undefined,
): RoundFacts {
  const scores = events.flatMap((event) => (hasAlignment(event) ? event.data.alignment.scores : []));
  const known = new Set(scores.map(({ specialistId }) => specialistId));
  const asked = new Set(
    events.flatMap((event) => (event.type === 'ProposalSolicited' ? event.data.specialistId : [])),
  );
  const then = registered
    .filter(({ role, specialistId }) => role === 'arbiter' || known.size === 0 || known.has(specialistId))
    .map((one) => ({
      ...one,
      enabled: one.enabled || asked.has(one.specialistId) || isDisabledSince(one, began),
    }));
  const arbiter = events.find(isJudgement)?.data.arbiter;
  const isDefault = (event: Recorded) =>
    event.type === 'ProposalSubmitted' && event.data.specialistId === DEFAULT_SPECIALIST;
  return {
    registered: then,
    roundBegan: began,
    withDefaults: arbiter?.specialistId === DEFAULT_SPECIALIST || events.some(isDefault),
    ...(arbiter && { arbiter }),
  };
}

function isOther(id: string): (one: MachineSpecialist) => boolean {
  return ({ specialistId }) => specialistId !== id;
}

function isJudgement(event: Recorded): event is RecordedEvent<Judgement> {
  return ['ArbitrationRequested', 'ConsensusReached', 'ConsensusNotReached'].includes(event.type);
}

function hasAlignment(event: Recorded): event is RecordedEvent<Judgement | HumanOverrideAccepted> {
  return event.type === 'HumanOverrideAccepted' || isJudgement(event);
}
