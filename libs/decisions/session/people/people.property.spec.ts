import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fold, isRejection, present } from '#lib/kernel';
import { type MachineDefinition, normalizeMachine, peopleOf, transitionsOf } from '#lib/decisions/machines';
import type { SessionCommand } from '../session.commands.js';
import { sessionDecider } from '../session.decider.js';
import type { SessionEvent, TransitionExecuted } from '../session.events.js';
import { currentRound, type Session } from '../session.state.js';
import { arbitraryAlignment, arbitraryArbiter } from '../testing/arbitrary-arbitration.js';
import { optional } from '../testing/optional.js';

const sessionId = '3c1a2b7e-0000-4000-8000-000000000001';
/** The groups of each person; `eve` has no group, and is no human specialist. */
const GROUPS: { readonly [person: string]: readonly string[] } = {
  ann: ['buyers'],
  bob: ['buyers', 'heads'],
  cy: ['heads'],
  eve: [],
};
const person = fc.constantFrom(...Object.keys(GROUPS));
const amount = fc.constantFrom(undefined, 5, 500);
const names = (...all: string[]) => optional(fc.subarray(all, { minLength: 1 }));

const policy = fc
  .record({
    groups: names('buyers', 'heads'),
    people: names('ann', 'eve'),
    exclude: names('creator', 'proposers', 'cy'),
    approvals: optional(fc.constantFrom(1, 2, 3)),
    expireIn: optional(fc.constant('PT1H')),
  })
  .map(present);
const rule = fc.constantFrom(true as const, { if: 'args.amount > 100' }, { if: 'args.nothing' }, undefined);

const machines = fc
  .record({ people: optional(policy), own: optional(policy), on: rule, back: rule, ages: fc.boolean() })
  .map(({ people, own, on, back, ages }): MachineDefinition =>
    normalizeMachine({
      machineName: 'any',
      initialState: 'a',
      goalState: 'goal',
      ...present({ people }),
      states: {
        a: {
          transitions: { on: { target: 'b', ...present({ needsPerson: on }) } },
          ...present({ people: own }),
          // Also for a transition that needs a person: the definition is not the only guard.
          ...(ages && { after: [{ in: 'PT1H', transition: 'on' }] }),
        },
        b: { transitions: { back: { target: 'a', ...present({ needsPerson: back }) }, out: 'goal' } },
        goal: { transitions: { on: 'a' } },
      },
    }),
  );

type Make = (n: number, session: Session) => SessionCommand;
const pick = fc.nat({ max: 9 });
const oneOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length];
const offer = (session: Session, pick: number) =>
  oneOf(Object.entries(transitionsOf(session.machine, session.currentState)), pick) ?? [
    'on',
    { target: 'b' },
  ];
const argsOf = (amount: number | undefined) => (amount === undefined ? {} : { metaJson: { amount } });

const proposal = fc
  .record({ pick, amount, who: fc.constantFrom('m1', 'm2', 'ann', 'bob'), by: optional(person) })
  .map<Make>(({ pick, amount, who, by }) => (n, session) => {
    const isHuman = who in GROUPS;
    const stated = { transitionName: offer(session, pick)[0], ...argsOf(amount) };
    const author = {
      specialistId: who,
      specialistVersion: 1,
      isHuman,
      ...present({ by: isHuman ? who : by }),
    };
    return { type: 'SubmitProposal', data: { sessionId, proposalId: `p${n}`, ...author, ...stated } };
  });

const arbitration = fc
  .record({ amount, arbiter: arbitraryArbiter, alignment: arbitraryAlignment })
  .map<Make>(({ amount, ...data }) => (n) => ({
    type: 'SubmitArbitration',
    data: {
      sessionId,
      arbitrationId: `a${n}`,
      nextRoundId: `r${n}`,
      isHuman: false,
      ...data,
      ...argsOf(amount),
    },
  }));

const verdict = fc.record({ pick }).map<Make>(({ pick }) => (n, session) => ({
  type: 'CloseArbitration',
  data: {
    sessionId,
    arbitrationId: oneOf(session.arbitrations, pick)?.arbitrationId ?? 'none',
    nextRoundId: `r${n}`,
    result: {
      verdict: {
        consensusReached: true,
        reasoning: '',
        winningProposalId: oneOf(session.proposals, pick)?.proposalId ?? 'none',
      },
    },
  },
}));

/** Includes proposals that people state as models: a role is no author. */
const statedByPeople = (steps: readonly Step[]) =>
  steps.flatMap(({ event }) =>
    event.type === 'ProposalSubmitted' && event.data.by !== undefined ? [event.data] : [],
  );

/** An answer by a person, by a human without proved identity, or by no person, as over MCP and from a model. */
const answer = fc
  .record({
    pick,
    amount,
    by: optional(person),
    isHuman: fc.constantFrom(true, true, true, false),
    hasRole: fc.boolean(),
    accepts: fc.boolean(),
    assignee: fc.constantFrom(undefined, undefined, undefined, 'eve', 'cy'),
    alignment: arbitraryAlignment,
  })
  .map<Make>(({ pick, amount, by, hasRole, accepts, assignee, ...data }) => (n, session) => {
    const ids = { sessionId, arbitrationId: `a${n}`, nextRoundId: `r${n}` };
    const proposal = accepts ? oneOf(session.proposals, pick) : undefined;
    const choice = proposal
      ? { proposalId: proposal.proposalId, ...argsOf(amount) }
      : { transitionName: offer(session, pick)[0], ...argsOf(amount) };
    const role = hasRole && by !== 'eve' && { specialistId: by ?? 'ann', specialistVersion: 1 };
    const who = { ...present({ by, assignee }), ...role, groups: by === undefined ? [] : (GROUPS[by] ?? []) };
    return { type: 'SubmitArbitration', data: { ...ids, ...choice, ...who, ...data } };
  });

const operation = fc.record({ pick, amount }).map<Make>(({ pick, amount }) => (n, session) => {
  const [transitionName, { target: toState }] = offer(session, pick);
  const args = argsOf(amount);
  return {
    type: 'ExecuteTransition',
    data: { sessionId, nextRoundId: `r${n}`, transitionName, toState, by: 'operator', ...args },
  };
});

const ask: Make = (_n, session) => {
  const { roundId } = currentRound(session);
  const proposalsSeen = session.proposals.length;
  return {
    type: 'RequestHumanInput',
    data: { sessionId, roundId, proposalsSeen, reason: 'no-consensus', detail: '' },
  };
};

/** The end of an open clock, or of one that has ended before. */
const time = fc.record({ pick, decides: fc.boolean() }).map<Make>(({ pick, decides }) => (n, session) => {
  const clockId = oneOf(Object.values(session.clocks), pick) ?? 'none';
  const result = decides ? { transition: offer(session, pick)[0] } : {};
  return { type: 'TakeTime', data: { sessionId, clockId, nextRoundId: `r${n}`, result } };
});

const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: proposal },
    { weight: 4, arbitrary: arbitration },
    { weight: 3, arbitrary: verdict },
    { weight: 5, arbitrary: answer },
    { weight: 1, arbitrary: operation },
    { weight: 2, arbitrary: fc.constant(ask) },
    { weight: 3, arbitrary: time },
  ),
  { maxLength: 30, size: 'max' },
);

interface Step {
  readonly before: Session;
  readonly command: SessionCommand;
  readonly event: SessionEvent;
}

function lived(machine: MachineDefinition, makers: readonly Make[]): readonly Step[] {
  const data = { sessionId, roundId: 'r', machine, by: 'ann' };
  const created = sessionDecider.decide({ type: 'CreateSession', data }, null);
  if (isRejection(created)) throw new Error(created.message);
  let session = fold(sessionDecider, created);
  const steps: Step[] = [];
  for (const [n, make] of makers.entries()) {
    if (!session) throw new Error('The first event creates the session.');
    const before: Session = session;
    const command = make(n, before);
    const events = sessionDecider.decide(command, before);
    if (isRejection(events)) continue;
    steps.push(...events.map((event) => ({ before, command, event })));
    session = fold(sessionDecider, events, before);
  }
  return steps;
}

const executions = (steps: readonly Step[]) =>
  steps.flatMap(({ event, ...step }) => (event.type === 'TransitionExecuted' ? [{ ...step, event }] : []));

/** A second implementation of the rule: an absent amount is an error, and an error needs a person. */
function isForPeople({ machine }: Session, { data }: TransitionExecuted): boolean {
  const { needsPerson } = transitionsOf(machine, data.fromState)[data.transitionName] ?? {};
  if (needsPerson === undefined || needsPerson === true) return needsPerson === true;
  const given = data.metaJson?.['amount'];
  return needsPerson.if === 'args.nothing' || typeof given !== 'number' || given > 100;
}

function isCandidate(session: Session, command: SessionCommand): boolean {
  if (command.type !== 'SubmitArbitration') return false;
  const { by = '', specialistId, assignee } = command.data;
  const { groups, people } = peopleOf(session.machine, session.currentState) ?? {};
  if (assignee !== undefined) return assignee === by;
  if (!groups && !people) return specialistId !== undefined;
  return Boolean(people?.includes(by)) || (GROUPS[by] ?? []).some((group) => groups?.includes(group));
}

const check = (holds: (steps: readonly Step[]) => void) =>
  fc.assert(
    fc.property(machines, commands, (machine, makers) => holds(lived(machine, makers))),
    { numRuns: 1_000 },
  );

describe('any history of models, arbiters, people, operators and timers', () => {
  it('executes a transition that needs a person by the answer of a candidate alone', () => {
    let byPeople = 0;
    check((steps) => {
      for (const { before, command, event } of executions(steps)) {
        if (!isForPeople(before, event)) continue;
        byPeople++;
        expect(event.data).toMatchObject({ isHuman: true, by: expect.any(String) });
        expect(isCandidate(before, command)).toBe(true);
      }
    });
    expect(byPeople).toBeGreaterThan(100);
  });

  it('is decided by timers of clocks that run alone, never for a person, and never after a wait has ended', () => {
    let timed = 0;
    check((steps) => {
      for (const { before, command, event } of executions(steps)) {
        if (event.data.timedBy === undefined) continue;
        timed++;
        expect(command.type).toBe('TakeTime');
        expect(Object.values(before.clocks)).toContain(event.data.timedBy);
        expect(isForPeople(before, event)).toBe(false);
        expect(event.data).toMatchObject({ isHuman: false, decidedBy: 'timer' });
      }
      const answers = steps.filter(({ event }) => event.type === 'HumanOverrideAccepted');
      expect(answers.filter(({ before }) => before.isExpired)).toEqual([]);
    });
    expect(timed).toBeGreaterThan(20);
  });

  it('is decided by nobody who is excluded', () => {
    check((steps) => {
      const stated = new Set<string>();
      for (const { before, event } of steps) {
        const { roundId } = currentRound(before);
        if (event.type === 'ProposalSubmitted') stated.add(`${roundId} ${event.data.by}`);
        if (event.type !== 'HumanOverrideAccepted' && event.type !== 'ApprovalGiven') continue;
        const { by = '' } = event.data;
        const { exclude = [] } = peopleOf(before.machine, before.currentState) ?? {};
        expect(exclude.includes('creator') && by === 'ann').toBe(false);
        expect(exclude.includes('proposers') && stated.has(`${roundId} ${by}`)).toBe(false);
        expect(exclude.includes(by)).toBe(false);
      }
    });
  });

  it('is not decided by proposals that people stated, as themselves or as models, where a definition names its people', () => {
    let weighed = 0;
    check((steps) => {
      const personal = new Set(statedByPeople(steps).map(({ proposalId }) => proposalId));
      for (const { before, event } of steps) {
        if (!('proposals' in event.data) || event.type === 'HumanOverrideAccepted') continue;
        if (!peopleOf(before.machine, before.currentState)) continue;
        weighed++;
        expect(event.data.proposals.filter(({ proposalId }) => personal.has(proposalId))).toEqual([]);
      }
    });
    expect(weighed).toBeGreaterThan(20);
  });

  it('has at most one decision a round, and by people as many of them as the round needs', () => {
    check((steps) => {
      const rounds = executions(steps).map(({ event }) => event.data.roundId);
      expect(new Set(rounds).size).toBe(rounds.length);
      for (const { before, event } of executions(steps)) {
        const { approvals = 1 } = peopleOf(before.machine, before.currentState) ?? {};
        const { decidedBy, timedBy } = event.data;
        const isOthers = decidedBy !== 'operator' && timedBy === undefined;
        expect(approvals > 1 && !event.data.isHuman && isOthers).toBe(false);
        if (approvals < 2 || !event.data.isHuman) continue;
        const given = before.approvals.filter(({ by }) => by !== event.data.by);
        const { transitionName, metaJson } = event.data;
        const same = given.filter(
          (one) =>
            one.transitionName === transitionName &&
            JSON.stringify(one.metaJson ?? {}) === JSON.stringify(metaJson ?? {}),
        );
        expect(same.length).toBeGreaterThanOrEqual(approvals - 1);
      }
    });
  });
});
