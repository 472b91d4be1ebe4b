import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EventCodec, EventLog, handleCommand, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { derivedId, Fingerprints, fold, isRejection, jsonText, ownMember } from '#lib/kernel';
import { transitionsOf } from '#lib/decisions/machines';
import { sameBasis } from './consensus/consensus-basis.js';
import type { SessionCommand } from './session.commands.js';
import { sessionDecider } from './session.decider.js';
import type { SessionEvent, TransitionExecuted } from './session.events.js';
import { sessionEventDefinitions } from './session.members.js';
import type { SessionState } from './session.state.js';
import { SESSION as sessionId, type MakeCommand, makers } from './testing/arbitrary-commands.js';
import { maze as machine } from './testing/maze.js';

interface Granted {
  readonly before: SessionState;
  readonly command: SessionCommand;
  readonly events: readonly SessionEvent[];
}

/** The events and states of these commands in turn; refused ones change nothing. */
function lived(makers: readonly MakeCommand[]) {
  const granted: Granted[] = [];
  const commands: SessionCommand[] = [];
  let state: SessionState = null;
  for (const [index, make] of makers.entries()) {
    const before: SessionState = state;
    const wanted = make(index, before);
    commands.push(wanted);
    const command: SessionCommand = sessionDecider.complete?.(wanted, before) ?? wanted;
    const decision = sessionDecider.decide(command, before);
    if (isRejection(decision)) continue;
    granted.push({ before, command, events: decision });
    state = fold(sessionDecider, decision, before);
  }
  return { commands, granted, events: granted.flatMap(({ events }) => events) };
}

function throughText<T>(value: T): T {
  return JSON.parse(jsonText(value)) as T;
}

describe('any session', () => {
  it('folds the same in one go and in two: fold(a ++ b) = fold(b, fold(a))', () => {
    fc.assert(
      fc.property(makers, fc.nat(), (makers, at) => {
        const { events } = lived(makers);
        const cut = at % (events.length + 1);
        const first = fold(sessionDecider, events.slice(0, cut));
        expect(fold(sessionDecider, events.slice(cut), first)).toEqual(fold(sessionDecider, events));
      }),
    );
  });

  it('is decided the same each time, and changes no state in deciding or evolving', () => {
    fc.assert(
      fc.property(makers, (makers) => {
        for (const { before, command, events } of lived(makers).granted) {
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
      fc.property(makers, (makers) => {
        for (const { before, command, events } of lived(makers).granted) {
          const recorded = throughText(sessionDecider.record(command, events));
          const rebuilt = sessionDecider.rebuild(recorded, throughText(events));
          expect(jsonText(sessionDecider.decide(rebuilt, before))).toBe(jsonText(events));
        }
      }),
    );
  });

  it('is in a state of its machine, one round for each transition and one more, and at most one proposal of each', () => {
    fc.assert(
      fc.property(makers, (makers) => {
        const { events } = lived(makers);
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
      fc.property(makers, (makers) => {
        for (const { before, events } of lived(makers).granted) {
          for (const event of events) expectTaken(before, throughText(event));
        }
      }),
    );
  });

  it('closes each solicitation once', () => {
    fc.assert(
      fc.property(makers, (makers) => {
        const closed = lived(makers).events.flatMap((event) =>
          /^Proposal(Submitted|SetAside|Failed)$/.test(event.type) && 'solicitationId' in event.data
            ? [event.data.solicitationId]
            : [],
        );
        expect(new Set(closed).size).toBe(closed.length);
      }),
    );
  });

  it('closes each arbitration once, and only those that were asked for or judged at once', () => {
    fc.assert(
      fc.property(makers, (makers) => {
        const { events } = lived(makers);
        const ids = (types: RegExp) =>
          events.flatMap((event) =>
            types.test(event.type) && 'arbitrationId' in event.data ? [event.data.arbitrationId] : [],
          );
        const closed = ids(/^(ConsensusReached|ConsensusNotReached|VerdictSetAside|ArbitrationFailed)$/);
        expect(new Set(closed).size).toBe(closed.length);
        const requested = ids(/^ArbitrationRequested$/);
        const open = fold(sessionDecider, events)?.arbitrations.map(({ arbitrationId }) => arbitrationId);
        expect(open).toEqual(requested.filter((id) => !closed.includes(id)));
      }),
    );
  });

  it('never says twice on end that a built-in sees no consensus in the same, nor that a person is waited for', () => {
    fc.assert(
      fc.property(makers, (makers) => {
        for (const { before, command, events } of lived(makers).granted) {
          const isSaidAgain = events.some(
            (event) =>
              (event.type === 'HumanInputRequested' && before?.awaitsHuman) ||
              (event.type === 'ConsensusNotReached' &&
                command.type === 'SubmitArbitration' &&
                before?.judgement &&
                sameBasis(before.judgement.basis, event.data)),
          );
          expect(isSaidAgain).toBe(false);
        }
      }),
    );
  });

  it('decides by arbitration only with what led to it, in one append: consensus for a proposal, or an override', () => {
    fc.assert(
      fc.property(makers, (makers) => {
        for (const { events } of lived(makers).granted) {
          const types = events.map(({ type }) => type);
          expect(types.slice(1).every((type) => type === 'TransitionExecuted')).toBe(true);
          const decided = types.includes('ConsensusReached') || types.includes('HumanOverrideAccepted');
          expect(decided).toBe(types.length > 1);
        }
      }),
    );
  });

  it('takes every event in every state without failing', () => {
    const all = makers.map((makers) => lived(makers).events);
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
  // A late proposal of a caller does not change the state, and an override changes it only by its transition.
  const isLate = event.type === 'ProposalSetAside' && event.data.solicitationId === undefined;
  expect(after === before).toBe(isLate || event.type === 'HumanOverrideAccepted');
  expect(event.type !== 'TransitionExecuted' || leads(before, event, after)).toBe(true);
}

function leads(before: SessionState, { data }: TransitionExecuted, after: SessionState): boolean {
  const { fromState, toState, transitionName } = data;
  const offered = ownMember(transitionsOf(machine, fromState), transitionName);
  if (before?.currentState !== fromState) return false;
  return offered?.target === toState && after?.currentState === toState && after.proposals.length === 0;
}

describe('any session in a log', () => {
  it('takes the same command twice as once', async () => {
    await fc.assert(
      fc.asyncProperty(makers, async (makers) => {
        const store = new InMemoryEventStore();
        const log = new EventLog(store, new EventCodec([sessionEventDefinitions]), new StreamNames());
        for (const [index, command] of lived(makers).commands.entries()) {
          const send = () =>
            handleCommand(log, sessionDecider, 'session', command, envelopeOf(command, index));
          const once = await send();
          const head = await store.head();
          const twice = await send();
          expect(await store.head()).toBe(head);
          const granted = !isRejection(once) && once.events.length > 0;
          const answer = comparable(once);
          expect(comparable(twice)).toMatchObject(granted ? { ...answer, repeated: true } : answer);
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** A repeat is read from JSON, which has no -0; the first answer has the position of the last event for all of its events. */
function comparable(answer: object): object {
  const withoutPositions = (name: string, value: unknown) =>
    name === 'events' && Array.isArray(value)
      ? value.map((event: object) => ({ ...event, position: undefined }))
      : value;
  return JSON.parse(JSON.stringify(answer, withoutPositions)) as object;
}

const prints = new Fingerprints('the key of the log');

function envelopeOf(command: SessionCommand, index: number) {
  const commandId = derivedId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', String(index));
  const who = { correlationId: sessionId, causationId: commandId, actor: 'operator' };
  return {
    commandId,
    fingerprint: prints.of(command),
    ...who,
    occurredAt: '2026-01-02T03:04:05.678Z',
  };
}
