import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { transitionsOf } from '#lib/decisions/machines';
import { builtInArbiter } from './consensus/built-in-arbiters.js';
import { nextMove } from './process/next-move.rules.js';
import type { SessionEvent } from './session.events.js';
import { currentRound, type Session } from './session.state.js';
import { DecisionCycle, ladder, PROPOSERS } from './testing/decision-cycle.js';

const client = fc.constantFrom(0 as const, 1 as const, 2 as const);
const pick = fc.nat({ max: 999 });

/** Includes the goal, which a person or an operator may leave. */
const canBeLeft = ({ currentState }: Session) => Object.keys(transitionsOf(ladder, currentState)).length > 0;

type Step = (cycle: DecisionCycle) => void;

const steps: { readonly [step: string]: (client: 0 | 1 | 2, pick: number) => Step } = {
  looks: (client) => (cycle) => cycle.look(client),
  moves: (client, pick) => (cycle) => void cycle.move(client, pick),
  'sends again what was sent': (_, pick) => (cycle) => cycle.repeat(pick),
  'a human proposes': (client, pick) => (cycle) =>
    void cycle.send(cycle.propose('ada', true, cycle.seen[client], pick)),
  'a caller proposes for a proposer': (client, pick) => (cycle) =>
    void cycle.send(cycle.propose(PROPOSERS[pick % 3] ?? '', false, cycle.seen[client], pick)),
  'a caller has a proposer asked, again too': (client, pick) => (cycle) => {
    const { roundId } = currentRound(cycle.seen[client]);
    cycle.send(cycle.solicit(PROPOSERS[pick % 3] ?? '', roundId, false));
  },
  'a solicitation ends': (_, pick) => (cycle) => {
    const open = cycle.session.solicitations;
    const one = open[pick % open.length];
    if (one) cycle.send(cycle.endSolicitation(one.solicitationId, pick));
  },
  'an arbitration ends': (_, pick) => (cycle) => {
    const open = cycle.session.arbitrations;
    const one = open[pick % open.length];
    if (one) cycle.send(cycle.endArbitration(one.arbitrationId, pick));
  },
  'a human overrides the open round': (_, pick) => (cycle) => {
    const isOpen = canBeLeft(cycle.session);
    const types = cycle.send(cycle.override(cycle.session, pick)).map(({ type }) => type);
    expect(types).toEqual(isOpen ? ['HumanOverrideAccepted', 'TransitionExecuted'] : []);
  },
  'a human overrides what they saw': (client, pick) => (cycle) => {
    const seen = cycle.seen[client];
    const isStale = currentRound(seen).roundId !== currentRound(cycle.session).roundId;
    const events = cycle.send(cycle.override(seen, pick));
    expect(events.length > 0).toBe(!isStale && canBeLeft(seen));
  },
  'an operator goes on from what they saw': (client, pick) => (cycle) =>
    void cycle.send(cycle.execute(cycle.seen[client], pick)),
  'specialists change': (_, pick) => (cycle) => cycle.change(pick),
};
const WEIGHTS: { readonly [step: string]: number } = {
  moves: 20,
  looks: 3,
  'a solicitation ends': 5,
  'specialists change': 4,
};

const step = fc.oneof(
  ...Object.entries(steps).map(([name, step]) => ({
    weight: WEIGHTS[name] ?? (/overrides|operator/.test(name) ? 1 : 2),
    arbitrary: fc.record({ name: fc.constant(name), client, pick }).map((one) => ({ ...one, step })),
  })),
);
const histories = fc.array(step, { maxLength: 40, size: 'max' });

function lived(history: readonly { step: (typeof steps)[string]; client: 0 | 1 | 2; pick: number }[]) {
  const cycle = new DecisionCycle();
  for (const { step, client, pick } of history) step(client, pick)(cycle);
  return cycle;
}

const eventsOf = ({ sent }: DecisionCycle): readonly SessionEvent[] => sent.flatMap(({ events }) => events);

/** Each transition starts in the state that the one before reached: no two come from the same round. */
function expectOneTransitionPerRound(cycle: DecisionCycle): void {
  const transitions = eventsOf(cycle).filter((event) => event.type === 'TransitionExecuted');
  const out = transitions.map(({ data }) => data.roundId);
  const into = ['round-0', ...transitions.map(({ data }) => data.nextRoundId)];
  expect(out).toEqual(into.slice(0, -1));
  expect(new Set(into).size).toBe(into.length);
}

function expectOverridesToWin(cycle: DecisionCycle): void {
  const events = eventsOf(cycle);
  for (const event of events) {
    if (event.type !== 'HumanOverrideAccepted') continue;
    const { roundId, transitionName, toState } = event.data;
    const out = events.filter((one) => one.type === 'TransitionExecuted' && one.data.roundId === roundId);
    expect(out).toMatchObject([{ data: { transitionName, toState, isHuman: true } }]);
  }
}

/** For clients that ask each specialist once in a round; others may ask again. */
function expectEverybodyAskedOnce({ sent }: DecisionCycle): void {
  const asked = new Set<string>();
  for (const { before, command, events } of sent) {
    for (const event of events) {
      if (event.type !== 'ProposalSolicited') continue;
      const { roundId, specialistId } = event.data;
      const isAgain = asked.has(`${roundId} ${specialistId}`) || roundId !== currentRound(before).roundId;
      expect(isAgain && command.type === 'SolicitProposal' && command.data.unlessAsked).not.toBe(true);
      asked.add(`${roundId} ${specialistId}`);
    }
  }
}

/** The quorum of the current roster, which the decider checks, not the client's. */
function expectQuorums({ sent }: DecisionCycle): void {
  for (const { command, events } of sent) {
    if (command.type !== 'SubmitArbitration' || command.data.quorum === undefined) continue;
    for (const { data } of events)
      expect('proposals' in data ? data.proposals.length : command.data.quorum).toBeGreaterThanOrEqual(
        command.data.quorum,
      );
  }
}

/** A built-in arbiter gives the recorded verdict on the recorded basis. */
function expectVerdictsToFollow(cycle: DecisionCycle): void {
  for (const { type, data } of eventsOf(cycle)) {
    if (type !== 'ConsensusReached' && type !== 'ConsensusNotReached') continue;
    const winner = 'winningProposalId' in data && { winningProposalId: data.winningProposalId };
    const { reasoning, margin } = data;
    const measured = margin !== undefined && { margin };
    const verdict = { consensusReached: type === 'ConsensusReached', ...winner, reasoning, ...measured };
    expect(builtInArbiter(data.arbiter)?.(data) ?? verdict).toStrictEqual(verdict);
    const shown = data.proposals.map(({ proposalId }) => proposalId);
    expect(!winner || shown.includes(winner.winningProposalId)).toBe(true);
  }
}

/** The winner's transition leads from its round to its target. */
function expectWinnersOwnTransition({ sent }: DecisionCycle): void {
  for (const { before, events } of sent) {
    const [consensus, transition] = events;
    if (consensus?.type !== 'ConsensusReached') continue;
    const won = before.proposals.find((one) => one.proposalId === consensus.data.winningProposalId);
    expect(transition).toMatchObject({
      type: 'TransitionExecuted',
      data: {
        roundId: currentRound(before).roundId,
        fromState: before.currentState,
        transitionName: won?.transitionName,
        toState: won?.toState,
      },
    });
  }
}

describe('any decision cycle, moved by any client at any delay', () => {
  it('has one transition out of each round, lets overrides win, asks once, follows from what it records, and ends at rest or waiting for a human when clients keep moving, each on a view two moves old', () => {
    fc.assert(
      fc.property(histories, fc.array(pick, { minLength: 7, maxLength: 40 }), (history, picks) => {
        const cycle = lived(history);
        expectOneTransitionPerRound(cycle);
        expectOverridesToWin(cycle);
        expectQuorums(cycle);
        expectEverybodyAskedOnce(cycle);
        expectVerdictsToFollow(cycle);
        expectWinnersOwnTransition(cycle);
        expect(movesToEnd(cycle, picks)).toBeLessThan(MOST_MOVES);
        expectOneTransitionPerRound(cycle);
        const { move } = nextMove(cycle.session, cycle.roster);
        expect(move === 'rest' || (move === 'ask-human' && cycle.session.awaitsHuman)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Five rounds suffice to end from any state, each with at most three clients' moves for three proposers and an arbiter. */
const MOST_MOVES = 200;

/** The number of moves until no client has one. */
function movesToEnd(cycle: DecisionCycle, picks: readonly number[]): number {
  let idle = 0;
  for (let count = 0; count < MOST_MOVES; count++) {
    const before = cycle.sent.length;
    // From here on proposers choose the way to the goal, so that no circle is endless.
    cycle.move(([0, 1, 2] as const)[count % 3] ?? 0, (picks[count % picks.length] ?? 0) * 2);
    const isSilent = cycle.sent.length === before || cycle.sent.at(-1)?.events.length === 0;
    idle = isSilent ? idle + 1 : 0;
    if (idle === 6) return count;
  }
  return MOST_MOVES;
}
