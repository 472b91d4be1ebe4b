import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EventCodec, EventLog, handleCommand, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { derivedId, fold, isRejection, jsonText, ownMember, sha256 } from '#lib/kernel';
import { isAtRest, type MachineDefinition, transitionsOf } from '#lib/machine';
import type { SessionCommand } from './session.commands.js';
import { sessionDecider } from './session.decider.js';
import { type SessionEvent, sessionEventDefinitions, type TransitionExecuted } from './session.events.js';
import type { SessionState } from './session.state.js';

const machine: MachineDefinition = {
  machineName: 'maze',
  initialState: 'a',
  goalState: 'goal',
  states: Object.fromEntries([
    [
      'a',
      {
        transitions: Object.fromEntries([
          ['on', { target: '__proto__' }],
          ['constructor', { target: 'a' }],
        ]),
      },
    ],
    [
      '__proto__',
      {
        transitions: Object.fromEntries([
          ['__proto__', { target: 'a' }],
          ['out', { target: 'goal' }],
          ['on', { target: 'a' }],
        ]),
      },
    ],
    ['goal', { transitions: { on: { target: 'a' } } }],
  ]),
};

const index = fc.nat({ max: 5 });
const specialistId = fc.constantFrom('s1', 's2');
const transitionName = fc.constantFrom('on', 'constructor', '__proto__', 'out', 'toString');
const toState = fc.constantFrom('a', '__proto__', 'goal', 'nowhere');
const roundId = fc.option(
  index.map((n) => `round-${n}`),
  { nil: undefined },
);
const said = fc.record(
  {
    reasoning: fc.string(),
    metaJson: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2, noNullPrototype: true }),
    costUSD: fc.constantFrom(0, 0.5),
    numInputTokens: fc.nat(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<{ reasoning?: string }>;
const choice = fc.record({ transitionName, toState, reasoning: fc.string() });

/** A command; ids that the engine would make fresh are made of `place`. */
type Wish = (place: number) => SessionCommand;
const sessionId = 'session';
const wish: fc.Arbitrary<Wish> = fc.oneof(
  fc.constant<Wish>((n) => ({ type: 'CreateSession', data: { sessionId, roundId: `round-${n}`, machine } })),
  fc.record({ specialistId, roundId, given: said }).map<Wish>((data) => (n) => ({
    type: 'SolicitProposal',
    data: { sessionId, solicitationId: `solicitation-${n}`, ...present(data) },
  })),
  fc
    .record({ specialistId, roundId, transitionName, isHuman: fc.boolean(), said })
    .map<Wish>(({ said, ...data }) => (n) => ({
      type: 'SubmitProposal',
      data: { sessionId, proposalId: `proposal-${n}`, ...present(data), ...said },
    })),
  fc.record({ of: index, choice }).map<Wish>(({ of, choice }) => (n) => ({
    type: 'CloseSolicitation',
    data: {
      sessionId,
      solicitationId: `solicitation-${of}`,
      proposalId: `proposal-${n}`,
      result: { choice },
    },
  })),
  index.map<Wish>((of) => (n) => ({
    type: 'CloseSolicitation',
    data: {
      sessionId,
      solicitationId: `solicitation-${of}`,
      proposalId: `proposal-${n}`,
      result: { failure: { kind: 'network', message: 'closed' } },
    },
  })),
  fc
    .record({
      roundId,
      transitionName,
      toState,
      proposalId: fc.option(
        index.map((n) => `proposal-${n}`),
        { nil: undefined },
      ),
    })
    .map<Wish>((data) => (n) => ({
      type: 'ExecuteTransition',
      data: { sessionId, nextRoundId: `round-${n}`, ...present(data) },
    })),
);
const wishes = fc.array(wish, { maxLength: 25 }).map((later) => [creation, ...later]);
const creation: Wish = () => ({ type: 'CreateSession', data: { sessionId, roundId: 'round-0', machine } });

/** Without members that are undefined. */
function present<T extends object>(data: T): T {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as T;
}

interface Granted {
  readonly before: SessionState;
  readonly command: SessionCommand;
  readonly events: readonly SessionEvent[];
}

/** Every command in turn; refused ones change nothing. */
function lived(wishes: readonly Wish[]): { granted: readonly Granted[]; events: readonly SessionEvent[] } {
  const granted: Granted[] = [];
  let state: SessionState = null;
  for (const [place, wish] of wishes.entries()) {
    const before: SessionState = state;
    const command: SessionCommand = sessionDecider.complete?.(wish(place), before) ?? wish(place);
    const decision = sessionDecider.decide(command, before);
    if (isRejection(decision)) continue;
    granted.push({ before, command, events: decision });
    state = fold(sessionDecider, decision, before);
  }
  return { granted, events: granted.flatMap(({ events }) => events) };
}

function throughText<T>(value: T): T {
  return JSON.parse(jsonText(value)) as T;
}

describe('any session', () => {
  it('folds the same in one go and in two: fold(a ++ b) = fold(b, fold(a))', () => {
    fc.assert(
      fc.property(wishes, fc.nat(), (wishes, at) => {
        const { events } = lived(wishes);
        const cut = at % (events.length + 1);
        const first = fold(sessionDecider, events.slice(0, cut));
        expect(fold(sessionDecider, events.slice(cut), first)).toEqual(fold(sessionDecider, events));
      }),
    );
  });

  it('is decided the same each time, and changes no state in deciding or evolving', () => {
    fc.assert(
      fc.property(wishes, (wishes) => {
        for (const { before, command, events } of lived(wishes).granted) {
          const text = jsonText(before);
          expect(jsonText(sessionDecider.decide(throughText(command), throughText(before)))).toBe(
            jsonText(events),
          );
          fold(sessionDecider, events, before);
          expect(jsonText(before)).toBe(text);
        }
      }),
    );
  });

  it('decides a command again, from what it recorded and the events it led to, to the same events', () => {
    fc.assert(
      fc.property(wishes, (wishes) => {
        for (const { before, command, events } of lived(wishes).granted) {
          const recorded = throughText(sessionDecider.record(command));
          const rebuilt = sessionDecider.rebuild(recorded, throughText(events));
          expect(jsonText(sessionDecider.decide(rebuilt, before))).toBe(jsonText(events));
        }
      }),
    );
  });

  it('is in a state of its machine, one round for each transition and one more, and at most one proposal of each', () => {
    fc.assert(
      fc.property(wishes, (wishes) => {
        const { events } = lived(wishes);
        const state = fold(sessionDecider, events);
        if (!state) throw new Error('The first command creates the session.');
        const steps = events.filter(({ type }) => type === 'TransitionExecuted');
        expect(Object.hasOwn(machine.states, state.currentState)).toBe(true);
        expect(state.rounds).toHaveLength(steps.length + 1);
        expect(state.history).toHaveLength(steps.length);
        const proposers = state.proposals.map((proposal) => proposal.specialistId);
        expect(new Set(proposers).size).toBe(proposers.length);
        const asked = state.solicitations.map((open) => `${open.roundId} ${open.specialistId}`);
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });

  it('makes only events that its own evolve takes: each transition leads from the current state to its target', () => {
    fc.assert(
      fc.property(wishes, (wishes) => {
        for (const { before, events } of lived(wishes).granted) {
          for (const event of events) expectTaken(before, throughText(event));
        }
      }),
    );
  });

  it('closes each solicitation once', () => {
    fc.assert(
      fc.property(wishes, (wishes) => {
        const closed = lived(wishes).events.flatMap((event) =>
          /^Proposal(Submitted|SetAside|Failed)$/.test(event.type) && 'solicitationId' in event.data
            ? [event.data.solicitationId]
            : [],
        );
        expect(new Set(closed).size).toBe(closed.length);
      }),
    );
  });

  it('takes every event in every state without failing', () => {
    const all = wishes.map((wishes) => lived(wishes).events);
    fc.assert(
      fc.property(fc.array(all, { maxLength: 3 }), fc.nat(), (histories, turn) => {
        const events = histories.flat();
        const mixed = [...events.slice(turn % (events.length + 1)), ...events.toReversed()];
        const state = fold(sessionDecider, mixed);
        expect(state === null || state.rounds.length > 0).toBe(true);
      }),
    );
  });
});

function expectTaken(before: SessionState, event: SessionEvent): void {
  const after = sessionDecider.evolve(before, event);
  // What a caller proposed too late leaves no trace in the state; everything else does.
  const traceless = event.type === 'ProposalSetAside' && event.data.solicitationId === undefined;
  expect(after === before).toBe(traceless);
  expect(event.type !== 'TransitionExecuted' || leads(before, event, after)).toBe(true);
}

function leads(before: SessionState, { data }: TransitionExecuted, after: SessionState): boolean {
  const { fromState, toState, transitionName } = data;
  const offered = ownMember(transitionsOf(machine, fromState), transitionName);
  if (before?.currentState !== fromState || isAtRest(machine, fromState)) return false;
  return offered?.target === toState && after?.currentState === toState && after.proposals.length === 0;
}

describe('any session in a log', () => {
  it('takes the same command twice as once', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (wishes) => {
        const store = new InMemoryEventStore();
        const log = new EventLog(store, new EventCodec([sessionEventDefinitions]), new StreamNames());
        for (const [place, wish] of wishes.entries()) {
          const send = () =>
            handleCommand(log, sessionDecider, 'session', wish(place), envelopeOf(wish(place), place));
          const once = await send();
          const head = await store.head();
          const twice = await send();
          expect(await store.head()).toBe(head);
          const granted = !isRejection(once) && once.events.length > 0;
          expect(twice).toMatchObject(granted ? { ...once, repeated: true } : once);
        }
      }),
      { numRuns: 50 },
    );
  });
});

function envelopeOf(command: SessionCommand, place: number) {
  const commandId = derivedId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', String(place));
  const who = { correlationId: sessionId, causationId: commandId, actor: 'operator' };
  return {
    commandId,
    fingerprint: sha256(jsonText(command)),
    ...who,
    occurredAt: '2026-01-02T03:04:05.678Z',
  };
}
