import { type RosterFacts, rosterOf } from '#lib/decisions/driving/core';
import {
  type AlignmentSnapshot,
  type ArbiterRef,
  type ArbitrationRequested,
  currentRound,
  loopMoves,
  type Move,
  type Roster,
  roundRoster,
  type Session,
  sessionDecider,
  type SessionEvent,
} from '#lib/decisions/session';
import { isRejection, present } from '#lib/kernel';
import type { Conditions } from './simulation-settings.js';

/** The facts of a round that no settings change. */
export interface RoundFacts extends Omit<RosterFacts, 'alignment'> {
  /** The arbiter that judged the round, if one did. */
  readonly arbiter?: ArbiterRef;
}

/** The end of a round under some conditions. */
export type RoundEnd =
  | { readonly transitionName: string; readonly decidedBy: string; readonly margin?: number }
  /** The round goes to people. `not-asked`: the record lacks the answer of a specialist that would be asked. */
  | { readonly reason: string; readonly detail: string };

/** The id of simulated decisions: no log has it. */
const SIMULATED = 'simulated';

/** A round under some conditions, up to the present event. */
export class RoundSide {
  #session: Session;
  #alignment: AlignmentSnapshot;
  /** The roster for the present session and alignment. */
  #known: Roster | undefined;

  constructor(
    session: Session,
    private readonly conditions: Conditions,
    private readonly facts: RoundFacts,
    alignment: AlignmentSnapshot,
  ) {
    this.#session = { ...session, machine: conditions.machine(session.machine) };
    this.#alignment = conditions.alignment(alignment, session);
  }

  get session(): Session {
    return this.#session;
  }

  /** The engine's moves at this point. */
  get moves(): readonly Move[] {
    const { roundId } = currentRound(this.#session);
    const fresh = { hasAsked: false, hasCalledHuman: false, cannotAsk: [] };
    return loopMoves(this.#session, this.#roster, { pace: 'step', roundId, ...fresh });
  }

  /** Takes the next recorded alignment. */
  see(alignment: AlignmentSnapshot): void {
    this.#alignment = this.conditions.alignment(alignment, this.#session);
    this.#known = undefined;
  }

  take(event: SessionEvent): void {
    this.#session = sessionDecider.evolve(this.#session, event) ?? this.#session;
    this.#known = undefined;
  }

  /** The arbitration that the engine itself asks for. */
  arbitrate(): RoundEnd | ArbitrationRequested | undefined {
    const { arbiter, quorum } = roundRoster(this.#session, this.#roster);
    return this.judge(arbiter, quorum);
  }

  /**
   * An arbitration under these conditions.
   * @param arbiter of the record: asked if the conditions name no other
   * @param quorum of the engine; absent if a caller asks
   * @returns the decision; the request, if the arbiter is outside of the session; `undefined` without a consensus, which is
   * recorded in this side
   */
  judge(
    arbiter: ArbiterRef | undefined,
    quorum: number | undefined,
  ): RoundEnd | ArbitrationRequested | undefined {
    const asked = this.conditions.arbiter ?? arbiter;
    const { sessionId } = this.#session;
    const data = {
      sessionId,
      arbitrationId: SIMULATED,
      nextRoundId: SIMULATED,
      isHuman: false,
      unlessJudged: true,
      alignment: this.#alignment,
      ...present({ arbiter: asked, quorum }),
    };
    const decision = sessionDecider.decide({ type: 'SubmitArbitration', data }, this.#session);
    if (isRejection(decision)) return undefined;
    const [first] = decision;
    if (first?.type === 'ArbitrationRequested') return first;
    const executed = decision.find((event) => event.type === 'TransitionExecuted');
    if (!executed) {
      for (const event of decision) this.take(event);
      return undefined;
    }
    const { transitionName, decidedBy } = executed.data;
    const margin = first?.type === 'ConsensusReached' ? first.data.margin : undefined;
    return { transitionName, decidedBy, ...present({ margin }) };
  }

  get #roster(): Roster {
    return (this.#known ??= this.#rosterNow());
  }

  #rosterNow(): Roster {
    const roster = rosterOf(this.#session, { ...this.facts, alignment: this.#alignment });
    const arbiter = this.conditions.arbiter ?? this.facts.arbiter ?? roster.arbiter;
    return { ...roster, ...(arbiter && { arbiter }) };
  }
}
