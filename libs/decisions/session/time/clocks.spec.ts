import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import { machineHash, normalizeMachine } from '#lib/decisions/machines';
import { nextMove } from '../process/next-move.rules.js';
import { sessionDecider } from '../session.decider.js';
import type { TakeTime } from '../session.commands.js';
import type { SessionEvent } from '../session.events.js';
import { arbitrate, force } from '../testing/arbitration-examples.js';
import { create, created, execute, proposed, sessionAfter } from '../testing/session-examples.js';
import { MOST_TIMED } from './clocks.js';

const SESSION = '3c1a2b7e-0000-4000-8000-000000000001';

const { given } = specify(sessionDecider);

function machineWith(triage: object, over: object = {}) {
  const states = {
    triage: { transitions: { refund: 'refunded', escalate: 'escalated', again: 'triage' }, ...triage },
    escalated: { transitions: { resolve: 'refunded' } },
    refunded: {},
  };
  const machine = { machineName: 'support', initialState: 'triage', goalState: 'refunded', states, ...over };
  return normalizeMachine(machine);
}

const after = [{ in: 'PT1H', transition: 'escalate' }];
const people = { people: ['ada', 'bob'], dueIn: 'PT1H', expireIn: 'PT2H' };

/** The stream of these commands. */
function history(
  machine: ReturnType<typeof machineWith>,
  ...commands: Parameters<typeof sessionDecider.decide>[0][]
) {
  let state = sessionDecider.initialState;
  const events: SessionEvent[] = [];
  for (const command of [create({ machine, sessionId: SESSION }), ...commands]) {
    const decided = sessionDecider.decide(command, state);
    if (!Array.isArray(decided)) throw new Error(JSON.stringify(decided));
    for (const event of decided as SessionEvent[]) {
      events.push(event);
      state = sessionDecider.evolve(state, event);
    }
  }
  return { events, clocks: sessionAfter(...events).clocks };
}

const ask = (roundId = 'round-1', proposalsSeen = 0) =>
  ({
    type: 'RequestHumanInput',
    data: { sessionId: SESSION, roundId, proposalsSeen, reason: 'no-proposals', detail: 'none' },
  }) as const;
const take = (
  clockId: string | undefined,
  result: TakeTime['data']['result'],
  nextRoundId = 'round-2',
): TakeTime => ({
  type: 'TakeTime',
  data: { sessionId: SESSION, clockId: clockId ?? '', nextRoundId, result },
});

describe('the clocks of a session', () => {
  it('of a round starts with it, where its state has `after`; of a wait with it, where its policy has times', () => {
    expect(history(machineWith({}), ask()).clocks).toEqual({});
    expect(history(machineWith({ after })).clocks).toEqual({ round: expect.any(String) });
    expect(history(machineWith({ after, people }), ask()).clocks).toEqual({
      round: expect.any(String),
      wait: expect.any(String),
    });
    expect(history(machineWith({}, { people: { priority: 1 } }), ask()).clocks).toEqual({});
  });

  it('end with a decision, whoever makes it, and the decision names them', () => {
    const { events, clocks } = history(machineWith({ after, people }), ask());
    const ended = { endsClocks: [clocks.round, clocks.wait] };
    given(events)
      .when(execute())
      .thenLike([{ type: 'TransitionExecuted', data: ended }]);
    given(events)
      .when(force({ by: 'ada' }))
      .thenLike([{ type: 'HumanOverrideAccepted' }, { type: 'TransitionExecuted', data: ended }]);
  });

  it('of a wait ends when the round waits again', () => {
    const machine = machineWith({ people });
    const first = history(machine, ask());
    const events = [...first.events, proposed()];
    given(events)
      .when(ask('round-1', 1))
      .thenLike([{ type: 'HumanInputRequested', data: { endsClocks: [first.clocks.wait] } }]);
  });

  it('of a wait without times is started once by an operator', () => {
    const { events } = history(machineWith({}), ask());
    const start = { type: 'StartClock', data: { sessionId: SESSION, roundId: 'round-1' } } as const;
    given(events)
      .when(start)
      .thenLike([{ type: 'ClockStarted' }]);
    const started = history(machineWith({}), ask(), start);
    given(started.events).when(start).thenNothing();
    given([created()]).when(start).thenNothing();
  });

  it('of a wait whose clock was given up is another run, and the round keeps both', () => {
    const first = history(machineWith({ people }), ask());
    const failure = { kind: 'given-up', message: 'no need' };
    const start = { type: 'StartClock', data: { sessionId: SESSION, roundId: 'round-1' } } as const;
    const { events, clocks } = history(
      machineWith({ people }),
      ask(),
      take(first.clocks.wait, { failure }),
      start,
    );
    expect(clocks.wait).toEqual(expect.any(String));
    expect(clocks.wait).not.toBe(first.clocks.wait);
    expect(sessionAfter(...events).waitClocks).toEqual([first.clocks.wait, clocks.wait]);
    given([...events, proposed()])
      .when(ask('round-1', 1))
      .thenLike([{ data: { clockId: expect.any(String), endsClocks: [clocks.wait] } }]);
  });
});

describe('time that is up', () => {
  it('executes the transition of `after`, decided by the timer and by no person', () => {
    const { events, clocks } = history(machineWith({ after }));
    const data = { decidedBy: 'timer', isHuman: false, toState: 'escalated', timedBy: clocks.round };
    given(events)
      .when(take(clocks.round, { transition: 'escalate' }))
      .thenLike([{ type: 'TransitionExecuted', data }]);
  });

  it('decides nothing if the round was decided first', () => {
    const { events, clocks } = history(machineWith({ after }), execute());
    given(events)
      .when(take(clocks.round, { transition: 'escalate' }))
      .thenNothing();
    const before = history(machineWith({ after })).clocks.round;
    given(events)
      .when(take(before, { transition: 'escalate' }))
      .thenNothing();
  });

  it('executes no transition that needs a person, has arguments, or is not offered', () => {
    const transitions = {
      refund: { target: 'refunded', needsPerson: true as const },
      pay: {
        target: 'refunded',
        parameters: { type: 'object', minProperties: 1 },
        onInvalidArguments: 'reject',
      },
    };
    const { events, clocks } = history(machineWith({ transitions, after, people }), ask());
    for (const transition of ['refund', 'pay', 'gone']) {
      given(events)
        .when(take(clocks.round, { transition }))
        .thenLike([{ type: 'ClockEnded', data: { failure: { kind: 'refused' } } }]);
      given(events)
        .when(take(clocks.wait, { transition }))
        .thenLike([{ type: 'ClockEnded' }]);
    }
  });

  it('of a wait executes its outcome, or expires it: then people decide no more', () => {
    const { events, clocks } = history(machineWith({ people }), ask());
    given(events)
      .when(take(clocks.wait, { transition: 'refund' }))
      .thenLike([{ type: 'TransitionExecuted', data: { decidedBy: 'timer' } }]);
    given(events)
      .when(take(clocks.wait, {}))
      .thenLike([{ type: 'ClockEnded' }]);
    const expired = history(machineWith({ people }), ask(), take(clocks.wait, {})).events;
    const gone = { rejected: 'gone', code: 'expired' } as const;
    given(expired)
      .when(force({ by: 'ada' }))
      .thenRejected(gone);
    given(expired)
      .when(force({ by: 'eve' }))
      .thenRejected({ rejected: 'forbidden', code: 'not-a-candidate' });
    given(expired)
      .when(execute())
      .thenLike([{ type: 'TransitionExecuted' }]);
    given(expired).when(ask()).thenNothing();
    const roster = { proposers: [], quorum: 1, alignment: { rule: 'wilson', ruleVersion: 1, scores: [] } };
    expect(nextMove(sessionAfter(...expired), roster as never)).toMatchObject({ move: 'ask-human' });
  });

  it('an expired round waits again once something new was proposed', () => {
    const first = history(machineWith({ people }), ask());
    const expired = history(machineWith({ people }), ask(), take(first.clocks.wait, {})).events;
    const again = [...expired, proposed()];
    given(again)
      .when(force({ by: 'ada' }))
      .thenRejected({ rejected: 'gone', code: 'expired' });
    given(again)
      .when(arbitrate())
      .thenLike([{ type: 'ConsensusReached' }, { type: 'TransitionExecuted' }]);
    given(again)
      .when(ask('round-1', 1))
      .thenLike([{ type: 'HumanInputRequested', data: { clockId: expect.any(String) } }]);
  });

  it(`after ${MOST_TIMED} decisions in a row asks a person, and starts no clock`, () => {
    const machine = machineWith({ after: [{ in: 'PT1S', transition: 'again' }], people });
    let state = sessionDecider.initialState;
    const run = (command: Parameters<typeof sessionDecider.decide>[0]) => {
      const decided = sessionDecider.decide(command, state) as readonly SessionEvent[];
      for (const event of decided) state = sessionDecider.evolve(state, event);
      return decided;
    };
    run(create({ machine, sessionId: SESSION }));
    for (let count = 1; count < MOST_TIMED; count++)
      expect(run(take(state?.clocks.round, { transition: 'again' }, `r${count}`))).toHaveLength(1);
    const last = run(take(state?.clocks.round, { transition: 'again' }, 'last'));
    expect(last).toMatchObject([{ type: 'TransitionExecuted' }, { data: { reason: 'timer-limit' } }]);
    expect(state?.clocks).toEqual({});
    run(execute({ transitionName: 'again', toState: 'triage', nextRoundId: 'next' }));
    expect(state?.clocks.round).toBeDefined();
  });

  it('of a clock that was given up is recorded, and decides nothing', () => {
    const { events, clocks } = history(machineWith({ after }));
    const failure = { kind: 'given-up', message: 'no need' };
    given(events)
      .when(take(clocks.round, { failure }))
      .thenLike([{ type: 'ClockEnded', data: { failure } }]);
  });
});

it('machines with times are hashed as they are', () => {
  expect(machineHash(machineWith({ after }))).not.toBe(machineHash(machineWith({})));
});
