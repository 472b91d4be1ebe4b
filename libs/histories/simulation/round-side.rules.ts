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
import { isRejection } from '#lib/kernel';
import type { Conditions } from './simulation-settings.js';

/** The facts of a round that no settings change. */
export interface RoundFacts extends Omit<RosterFacts, 'alignment'> {
  /** The one that judged the round, if one did. */
  readonly arbiter?: ArbiterRef;
}

/** The end of a round under some conditions. */
export type RoundEnd =
  | { readonly transitionName: string; readonly decidedBy: string; readonly margin?: number }
  /** It goes to people. `not-asked`: somebody would have had to be asked who was not. */
  | { readonly reason: string; readonly detail: string };

/** The id of what is decided here: it is in no log. */
const SIMULATED = 'simulated';

/** A round under some conditions, as far as it has come. */
export class RoundSide {
  #session: Session;
  #alignment: AlignmentSnapshot;
  /** Of the session and the alignment at hand. */
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

  /** The moves that the engine makes now. */
  get moves(): readonly Move[] {
    const { roundId } = currentRound(this.#session);
    const fresh = { hasAsked: false, hasCalledHuman: false, cannotAsk: [] };
    return loopMoves(this.#session, this.#roster, { pace: 'step', roundId, ...fresh });
  }

  /** Goes on with the alignment that was recorded next. */
  see(alignment: AlignmentSnapshot): void {
    this.#alignment = this.conditions.alignment(alignment, this.#session);
    this.#known = undefined;
  }

  take(event: SessionEvent): void {
    this.#session = sessionDecider.evolve(this.#session, event) ?? this.#session;
    this.#known = undefined;
  }

  /** The arbitration that the engine asks for by itself. */
  arbitrate(): RoundEnd | ArbitrationRequested | undefined {
    const { arbiter, quorum } = roundRoster(this.#session, this.#roster);
    return this.judge(arbiter, quorum);
  }

  /**
   * An arbitration under these conditions.
   * @param arbiter the one that is asked if the conditions name no other
   * @param quorum that of the engine; absent if a caller asks
   * @returns the decision; or the question, if it is for an arbiter outside of the session; `undefined`: no consensus, which is noted
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
      ...(asked && { arbiter: asked }),
      ...(quorum !== undefined && { quorum }),
    };
    const decision = sessionDecider.decide({ type: 'SubmitArbitration', data }, this.#session);
    if (isRejection(decision)) return undefined;
    const [first] = decision;
    if (first?.type === 'ArbitrationRequested') return first;
    const executed = decision.find((event) => event.type === 'TransitionExecuted');
    if (!executed) for (const event of decision) this.take(event);
    const margin = first?.type === 'ConsensusReached' ? first.data.margin : undefined;
    return executed && decisionOf(executed.data, margin);
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

function decisionOf(
  { transitionName, decidedBy }: { readonly transitionName: string; readonly decidedBy: string },
  margin: number | undefined,
): RoundEnd {
  return { transitionName, decidedBy, ...(margin !== undefined && { margin }) };
}
