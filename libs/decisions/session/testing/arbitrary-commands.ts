import * as fc from 'fast-check';
import { ownMember, present } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import type { SessionCommand } from '../session.commands.js';
import type { SessionState } from '../session.state.js';
import { arbitraryAlignment, arbitraryArbiter, arbitraryVerdict } from './arbitrary-arbitration.js';
import { maze } from './maze.js';
import { optional } from './optional.js';

/** Makes a command for a session, mostly one that fits its state; `index` gives fresh ids. */
export type MakeCommand = (index: number, state: SessionState) => SessionCommand;

export const SESSION = 'session';
const sessionId = SESSION;

const pick = fc.nat({ max: 20 });
const specialistId = fc.constantFrom('s1', 's2', 's3');
const said = fc.record(
  {
    reasoning: fc.string(),
    metaJson: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2, noNullPrototype: true }),
    costUSD: fc.constantFrom(0, 0.5),
    numInputTokens: fc.nat(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<{ reasoning?: string }>;
const decision = fc.record(
  { reasoning: fc.string(), metaJson: fc.constantFrom({}, { a: 1 }) },
  { requiredKeys: [] },
);

/** One of the list, or sometimes a value that is not in it. */
function oneOf(list: readonly string[], pick: number, stranger: string): string {
  return pick % 7 === 0 ? stranger : (list[pick % list.length] ?? stranger);
}

function roundId(state: SessionState, pick: number) {
  if (pick < 12) return {};
  const rounds = state?.rounds.map((round) => round.roundId) ?? [];
  return { roundId: pick < 17 ? (rounds.at(-1) ?? 'round-0') : oneOf(rounds, pick, 'round-never') };
}

function choice(state: SessionState, pick: number) {
  const offers = transitionsOf(maze, state?.currentState ?? 'a');
  const transitionName = oneOf(Object.keys(offers), pick, 'toString');
  const toState = ownMember(offers, transitionName)?.target ?? 'goal';
  return { transitionName, toState: pick % 11 === 0 ? 'nowhere' : toState };
}

const creation: MakeCommand = () => ({
  type: 'CreateSession',
  data: { sessionId, roundId: 'round-0', machine: maze },
});

const solicitation = fc
  .record({
    pick,
    specialistId,
    specialistVersion: fc.constant(1),
    given: said,
    unlessAsked: optional(fc.boolean()),
  })
  .map<MakeCommand>(({ pick, ...data }) => (n, state) => ({
    type: 'SolicitProposal',
    data: { sessionId, solicitationId: `solicitation-${n}`, ...roundId(state, pick), ...present(data) },
  }));

const submission = fc
  .record({ pick, specialistId, specialistVersion: fc.constant(1), isHuman: fc.boolean(), said })
  .map<MakeCommand>(({ pick, said, ...data }) => (n, state) => {
    const { transitionName } = choice(state, pick);
    const ids = { sessionId, proposalId: `proposal-${n}`, ...roundId(state, pick) };
    return { type: 'SubmitProposal', data: { ...ids, transitionName, ...data, ...said } };
  });

const closing = fc
  .record({ pick, reasoning: fc.string() })
  .map<MakeCommand>(({ pick, reasoning }) => (n, state) => {
    const open = state?.solicitations.map((one) => one.solicitationId) ?? [];
    const ids = {
      sessionId,
      solicitationId: oneOf(open, pick, 'solicitation-1'),
      proposalId: `proposal-${n}`,
    };
    const failure = { kind: 'network', message: 'closed' } as const;
    const result = pick % 3 === 0 ? { failure } : { choice: { ...choice(state, pick), reasoning } };
    return { type: 'CloseSolicitation', data: { ...ids, result } };
  });

const arbitration = fc
  .record({
    pick,
    isForced: fc.constantFrom(false, false, true),
    isHuman: fc.boolean(),
    specialistId: optional(specialistId),
    arbiter: optional(arbitraryArbiter),
    alignment: arbitraryAlignment,
    unlessJudged: optional(fc.boolean()),
    decision,
  })
  .map<MakeCommand>(({ pick, isForced, decision, ...data }) => (n, state) => {
    const ids = { sessionId, arbitrationId: `arbitration-${n}`, nextRoundId: `round-${n}` };
    const forced = isForced && { transitionName: choice(state, pick).transitionName };
    return {
      type: 'SubmitArbitration',
      data: { ...ids, ...roundId(state, pick), ...forced, ...present(data), ...decision },
    };
  });

const arbitrationEnd = fc
  .record({ pick, verdict: arbitraryVerdict })
  .map<MakeCommand>(({ pick, verdict }) => (n, state) => {
    const open = state?.arbitrations.map((one) => one.arbitrationId) ?? [];
    const proposals = state?.proposals.map((one) => one.proposalId) ?? [];
    const ids = { sessionId, arbitrationId: oneOf(open, pick, 'arbitration-1'), nextRoundId: `round-${n}` };
    const failure = { kind: 'network', message: 'closed' } as const;
    const winner = verdict.consensusReached && {
      winningProposalId: oneOf(proposals, pick, 'proposal-never'),
    };
    const result = pick % 5 === 0 ? { failure } : { verdict: { ...verdict, ...winner } };
    return { type: 'CloseArbitration', data: { ...ids, result } };
  });

const humanNeeded = fc
  .record({ pick, off: fc.constantFrom(0, 0, 1) })
  .map<MakeCommand>(({ pick, off }) => (_, state) => {
    const seen = { proposalsSeen: (state?.proposals.length ?? 0) + off };
    const round = { roundId: 'round-0', ...roundId(state, Math.max(pick, 12)) };
    const why = { reason: 'no-proposals', detail: 'nobody is left' } as const;
    return { type: 'RequestHumanInput', data: { sessionId, ...round, ...seen, ...why } };
  });

const execution = fc
  .record({ pick, isGrant: fc.boolean() })
  .map<MakeCommand>(({ pick, isGrant }) => (n, state) => {
    const open = state?.proposals ?? [];
    const granted = isGrant ? open[pick % open.length] : undefined;
    const { transitionName, toState, proposalId } = {
      proposalId: undefined,
      ...choice(state, pick),
      ...granted,
    };
    const ids = { sessionId, nextRoundId: `round-${n}`, ...roundId(state, pick), ...present({ proposalId }) };
    return { type: 'ExecuteTransition', data: { ...ids, transitionName, toState } };
  });

/** Any commands after the session's creation. */
export const makers: fc.Arbitrary<readonly MakeCommand[]> = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant(creation) },
      { weight: 6, arbitrary: solicitation },
      { weight: 6, arbitrary: submission },
      { weight: 5, arbitrary: closing },
      { weight: 6, arbitrary: arbitration },
      { weight: 4, arbitrary: arbitrationEnd },
      { weight: 2, arbitrary: humanNeeded },
      { weight: 1, arbitrary: execution },
    ),
    { maxLength: 25, size: 'max' },
  )
  .map((later) => [creation, ...later]);
