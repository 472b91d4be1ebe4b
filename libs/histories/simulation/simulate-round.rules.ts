import {
  type AlignmentSnapshot,
  type ArbitrationRequested,
  type ConsensusReached,
  type ConsensusNotReached,
  type HumanInputRequested,
  type Move,
  type ProposalSolicited,
  sameBasis,
  type Session,
  type SessionEvent,
  type TransitionExecuted,
} from '#lib/decisions/session';
import { type RoundEnd, type RoundFacts, RoundSide } from './round-side.rules.js';
import { AS_RECORDED, type Conditions } from './simulation-settings.js';

/** A round as it was recorded. */
interface RecordedRound {
  /** The session at the start of the round. */
  readonly start: Session;
  /** The events of the round, without the transition. */
  readonly events: readonly SessionEvent[];
  readonly executed: TransitionExecuted['data'];
  /** The last alignment recorded before the round. */
  readonly alignment: AlignmentSnapshot;
  readonly facts: RoundFacts;
}

/** `toPeople`: decided without people, now by people; `fromPeople`: the other way round. */
export type Outcome = 'same' | 'different' | 'toPeople' | 'fromPeople';

/** A decided round under other conditions. Without `transitionName` the round goes to people. */
export interface SimulatedRound {
  readonly outcome: Outcome;
  readonly simulated: {
    readonly transitionName?: string;
    readonly decidedBy?: string;
    readonly margin?: number;
    readonly reason?: string;
    readonly detail?: string;
  };
}

/** The most moves between two recorded events. Each move judges, asks or ends, and no proposer is asked twice. */
const MOST_MOVES = 1_000;

/**
 * Goes through a decided round under other conditions. The recorded events show when the engine, or a caller, looked at the
 * round; at each look the rules of a session give the next move. While that is also the next move under the recorded conditions,
 * the record continues. So without a change every round is the same, with any driver.
 */
export function simulateRound(round: RecordedRound, conditions: Conditions): SimulatedRound {
  const ended = new RoundWalk(round, conditions).ended();
  return ended ? changed(round, ended) : unchanged(round);
}

class RoundWalk {
  readonly #record: RoundSide;
  readonly #changed: RoundSide;
  /** Recorded events that the changed side has not taken. */
  readonly #left: Set<SessionEvent>;

  constructor(
    private readonly round: RecordedRound,
    conditions: Conditions,
  ) {
    const { start, events, facts, alignment } = round;
    this.#record = new RoundSide(start, AS_RECORDED, facts, alignment);
    this.#changed = new RoundSide(start, conditions, facts, alignment);
    this.#left = new Set(events);
  }

  /** @returns `undefined` if the round ends as recorded */
  ended(): RoundEnd | undefined {
    const { events } = this.round;
    const snapshots = events.map(snapshotIn);
    let seen = snapshots.find((one) => one !== undefined);
    for (const [index, event] of events.entries()) {
      seen = snapshots[index] ?? seen;
      if (seen) for (const side of [this.#record, this.#changed]) side.see(seen);
      const ended = this.#step(event);
      if (ended) return ended;
    }
    return this.#atTheEnd();
  }

  #step(event: SessionEvent): RoundEnd | undefined {
    switch (event.type) {
      case 'ProposalSolicited':
        return this.#solicited(event);
      case 'ArbitrationRequested':
      case 'ConsensusReached':
      case 'ConsensusNotReached':
        return this.#judged(event);
      case 'VerdictSetAside':
      case 'ArbitrationFailed':
        return this.#answered(event);
      case 'HumanInputRequested':
        return this.#waited(event);
      default:
        return this.#both(event);
    }
  }

  /** The engine looks at the round before it asks; a caller asks without a look. */
  #solicited(event: ProposalSolicited): RoundEnd | undefined {
    const { specialistId } = event.data;
    const asks = (moves: readonly Move[]) =>
      moves.some((one) => one.move === 'solicit' && one.specialistId === specialistId);
    if (!this.#left.has(event) || !asks(this.#record.moves)) return this.#both(event);
    return this.#goOn(this.#changed, (moves) => !this.#left.has(event) || asks(moves)) ?? this.#both(event);
  }

  #judged(event: ArbitrationRequested | ConsensusReached | ConsensusNotReached): RoundEnd | undefined {
    const { arbitrationId, arbiter } = event.data;
    if (isOpen(this.#record, arbitrationId)) return this.#answered(event);
    const isEngines = arbitrates(this.#record.moves);
    this.#record.take(event);
    if (isEngines && !arbitrates(this.#changed.moves)) return undefined;
    const verdict = isEngines ? this.#changed.arbitrate() : this.#changed.judge(arbiter, undefined);
    if (!verdict || !('type' in verdict)) return verdict;
    const isSame = event.type === 'ArbitrationRequested' && sameBasis(event.data, verdict.data);
    if (!isSame) return notAsked(verdict.data.arbiter.specialistId);
    this.#changed.take(event);
    return undefined;
  }

  /** The end of an arbitration outside of the session. It counts if the changed side made the same request. */
  #answered(
    event: SessionEvent & { readonly data: { readonly arbitrationId: string } },
  ): RoundEnd | undefined {
    const isAsked = isOpen(this.#changed, event.data.arbitrationId);
    this.#record.take(event);
    if (!isAsked) return undefined;
    if (event.type === 'ConsensusReached') return asRecorded(this.round, event.data.margin);
    this.#changed.take(event);
    return undefined;
  }

  #waited(event: HumanInputRequested): RoundEnd | undefined {
    const isEngines = asksHuman(this.#record.moves);
    this.#record.take(event);
    if (this.#changed.session.awaitsHuman) return undefined;
    const isReached = (moves: readonly Move[]) => asksHuman(moves) || (!isEngines && !arbitrates(moves));
    const ended = this.#goOn(this.#changed, isReached);
    if (ended) return ended;
    const [move] = this.#changed.moves;
    const why = move?.move === 'ask-human' && { reason: move.reason, detail: move.detail };
    this.#changed.take({ ...event, data: { ...event.data, ...why } });
    return undefined;
  }

  /** The engine is asked once more if it did not end the round. */
  #atTheEnd(): RoundEnd | undefined {
    const now = this.#goOn(this.#changed, () => false);
    if (isDecidedByArbiter(this.round)) return now;
    const then = this.#goOn(this.#record, () => false);
    // People, an operator or a clock decided first, and would again.
    if (!now || !then || 'transitionName' in then) return undefined;
    return 'transitionName' in now || (isNotAsked(now) && !isNotAsked(then)) ? now : undefined;
  }

  /** Makes the engine's moves until the given one is next. */
  #goOn(side: RoundSide, isReached: (moves: readonly Move[]) => boolean): RoundEnd | undefined {
    for (let moves = 0; moves < MOST_MOVES; moves += 1) {
      const { moves } = side;
      const [first] = moves;
      if (!first || isReached(moves)) return undefined;
      const ended = this.#move(side, first);
      if (ended) return ended;
    }
    return undefined;
  }

  #move(side: RoundSide, move: Move): RoundEnd | undefined {
    switch (move.move) {
      case 'arbitrate': {
        const verdict = side.arbitrate();
        return verdict && 'type' in verdict ? notAsked(verdict.data.arbiter.specialistId) : verdict;
      }
      case 'solicit':
      case 'finish-solicitation':
        return this.#answer(side, move.specialistId) ? undefined : notAsked(move.specialistId);
      case 'finish-arbitration':
        return notAsked(move.arbitrationId);
      case 'ask-human':
        return { reason: move.reason, detail: move.detail };
      case 'rest':
        return undefined;
    }
  }

  /** Gives the changed side a proposer's recorded answer early. @returns whether the record has one */
  #answer(side: RoundSide, specialistId: string): boolean {
    if (side !== this.#changed) return false;
    const own = [...this.#left].filter((event) => isOf(event, specialistId));
    if (!own.some(({ type }) => type !== 'ProposalSolicited')) return false;
    for (const event of own) this.#take(event);
    return true;
  }

  #both(event: SessionEvent): undefined {
    this.#record.take(event);
    if (this.#left.has(event)) this.#take(event);
    return undefined;
  }

  #take(event: SessionEvent): void {
    this.#left.delete(event);
    this.#changed.take(event);
  }
}

function arbitrates(moves: readonly Move[]): boolean {
  return moves[0]?.move === 'arbitrate';
}

function asksHuman(moves: readonly Move[]): boolean {
  return moves[0]?.move === 'ask-human';
}

function isOpen({ session }: RoundSide, arbitrationId: string): boolean {
  return session.arbitrations.some((one) => one.arbitrationId === arbitrationId);
}

/** The request to a proposer, or its answer. */
function isOf(event: SessionEvent, specialistId: string): boolean {
  const isAnswer = event.type === 'ProposalSubmitted' || event.type === 'ProposalSetAside';
  if (event.type !== 'ProposalSolicited' && event.type !== 'ProposalFailed' && !isAnswer) return false;
  return event.data.specialistId === specialistId && event.data.solicitationId !== undefined;
}

function snapshotIn(event: SessionEvent): AlignmentSnapshot | undefined {
  const data: { readonly alignment?: AlignmentSnapshot } = 'alignment' in event.data ? event.data : {};
  return data.alignment;
}

const NOT_ASKED = 'not-asked';

function notAsked(who: string): RoundEnd {
  return { reason: NOT_ASKED, detail: `the record has no answer of ${who} here` };
}

function isNotAsked(end: RoundEnd): boolean {
  return 'reason' in end && end.reason === NOT_ASKED;
}

function isDecidedByArbiter({ events }: RecordedRound): boolean {
  return events.at(-1)?.type === 'ConsensusReached';
}

function asRecorded({ executed }: RecordedRound, margin?: number): RoundEnd {
  const { transitionName, decidedBy } = executed;
  return { transitionName, decidedBy, ...(margin !== undefined && { margin }) };
}

function changed(round: RecordedRound, end: RoundEnd): SimulatedRound {
  return { outcome: outcomeOf(round, end), simulated: end };
}

function outcomeOf(round: RecordedRound, end: RoundEnd): Outcome {
  if (!('transitionName' in end)) return isDecidedByArbiter(round) || isNotAsked(end) ? 'toPeople' : 'same';
  const { transitionName, timedBy } = round.executed;
  // The decision of a clock is not one of a person.
  if (!isDecidedByArbiter(round) && timedBy === undefined) return 'fromPeople';
  return end.transitionName === transitionName ? 'same' : 'different';
}

function unchanged(round: RecordedRound): SimulatedRound {
  const { executed } = round;
  const isWithoutPeople = isDecidedByArbiter(round) || executed.timedBy !== undefined;
  return { outcome: 'same', simulated: isWithoutPeople ? asRecorded(round) : {} };
}
