import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import { normalizeMachine } from '#lib/decisions/machines';
import type { ForkSession } from '../session.commands.js';
import type { SessionEvent } from '../session.events.js';
import { sessionDecider } from '../session.decider.js';
import {
  created as begun,
  executed,
  machine,
  sessionAfter,
  solicited,
  proposed,
} from '../testing/session-examples.js';
import { MOST_TIMED } from '../time/clocks.js';

const { given } = specify(sessionDecider);

/** Ids of runs are derived from it. */
const SESSION_ID = '3c1a2b7e-0000-4000-8000-000000000001';
const created = () => begun({ sessionId: SESSION_ID });

const fork = (over: Partial<ForkSession['data']> = {}): ForkSession => ({
  type: 'ForkSession',
  data: { sessionId: SESSION_ID, effects: 'hold', ...over },
});
const states = { triage: { transitions: { close: 'closed' } }, closed: {} };
const other = normalizeMachine({ machineName: 'other', initialState: 'triage', goalState: 'closed', states });

describe('a fork of a session', () => {
  it('goes on from the copied events with what is otherwise in it', () => {
    given([created()])
      .when(fork({ metaJson: { case: 2 }, effects: 'allow' }))
      .then([
        { type: 'SessionForked', data: { roundId: 'round-1', effects: 'allow', metaJson: { case: 2 } } },
      ]);
  });

  it('asks again, by runs of its own, for what was under way', () => {
    const open = solicited();
    const { solicitationId: before, ...asked } = open.data;
    given([created(), open])
      .when(fork())
      .thenLike([{ type: 'SessionForked' }, { type: 'ProposalSolicited', data: asked }]);
    const decided = sessionDecider.decide(fork(), sessionAfter(created(), open));
    if (!Array.isArray(decided)) throw new Error('It is forked.');
    const { solicitations, asked: who } = sessionAfter(created(), open, ...decided);
    expect(solicitations).toHaveLength(1);
    expect(solicitations[0]?.solicitationId).not.toBe(before);
    expect(who).toEqual([open.data.specialistId]);
  });

  it('has the name and the specialists of the session with another machine, and needs its current state', () => {
    given([created()])
      .when(fork({ machine: other }))
      .thenLike([
        { type: 'SessionForked', data: { machine: { machineName: machine.machineName }, machineVersion: 1 } },
      ]);
    given([created(), executed({ toState: 'escalated' })])
      .when(fork({ machine: other }))
      .thenRejected({
        rejected: 'refused',
        code: 'state-gone',
        problems: [
          {
            path: '/overrides/machine/states',
            message:
              'the fork was refused: its machine has no state escalated, in which the session is there. ' +
              'Keep the state in the machine, or fork at another revision.',
          },
        ],
      });
  });

  it('is refused where the session is closed, and nothing that was open is asked again', () => {
    const closed = { type: 'SessionClosed', data: { roundId: 'round-1', by: 'operator' } } as const;
    const refused = { rejected: 'conflict', code: 'closed' } as const;
    given([created(), closed]).when(fork()).thenRejected(refused);
    given([created(), solicited(), closed]).when(fork({ machine })).thenRejected(refused);
    given([created(), solicited()])
      .when(fork())
      .thenLike([{ type: 'SessionForked' }, { type: 'ProposalSolicited' }]);
  });

  it('does not give its decisions a scope in which they would count', () => {
    const decided = sessionDecider.decide(fork(), sessionAfter(created()));
    if (!Array.isArray(decided)) throw new Error('It is forked.');
    const data = { sessionId: SESSION_ID, arbitrationId: 'a', nextRoundId: 'round-2', isHuman: true };
    const by = { by: 'ann', specialistId: 'ann', specialistVersion: 1, transitionName: 'refund' };
    const alignment = { rule: 'wilson', ruleVersion: 1, scores: [] } as const;
    const command = { type: 'SubmitArbitration', data: { ...data, ...by, alignment } } as const;
    const [override] = sessionDecider.decide(command, sessionAfter(created(), ...decided)) as readonly {
      readonly type: string;
      readonly data: object;
    }[];
    expect(override?.type).toBe('HumanOverrideAccepted');
    expect(override?.data).not.toHaveProperty('scope');
  });
});

describe('the clocks of a fork', () => {
  const timed = normalizeMachine({
    ...other,
    machineName: machine.machineName,
    states: {
      triage: {
        transitions: { close: 'closed' },
        people: { expireIn: 'PT1H' },
        after: [{ in: 'PT2H', transition: 'close' }],
      },
      closed: {},
    },
  });
  const begin = () => begun({ sessionId: SESSION_ID, machine: timed });
  const wait = {
    type: 'HumanInputRequested',
    data: { roundId: 'round-1', reason: 'no-consensus', detail: '' },
  } as const;
  const ended = { type: 'ClockEnded', data: { roundId: 'round-1', clockId: 'clock' } } as const;
  const byTimer = () => executed({ toState: 'triage', timedBy: 'clock' });
  const failure = { kind: 'interrupted', message: 'given up' };
  const fresh = { freshRound: true } as const;
  const typesOf = (command: ForkSession, ...before: readonly SessionEvent[]) => {
    const decided = sessionDecider.decide(command, sessionAfter(...before));
    if (!Array.isArray(decided)) throw new Error('It is forked.');
    return decided.map(({ type, data }) => [type, 'clockId' in data, 'timed' in data]);
  };

  it('are those of its round and of its wait, also while what was proposed since is judged', () => {
    const clocks = [
      ['SessionForked', true, false],
      ['ClockStarted', true, true],
    ];
    expect(typesOf(fork(fresh), begin(), wait)).toEqual(clocks);
    expect(typesOf(fork(fresh), begin(), wait, proposed())).toEqual(clocks);
  });

  it('are those of its round alone where nothing waits, or the wait has expired', () => {
    const round = [['SessionForked', true, false]];
    expect(typesOf(fork(fresh), begin())).toEqual(round);
    expect(typesOf(fork(fresh), begin(), wait, ended)).toEqual(round);
  });

  it('have ids that no later clock of the fork has', () => {
    const decided = sessionDecider.decide(fork(fresh), sessionAfter(begin(), wait));
    if (!Array.isArray(decided)) throw new Error('It is forked.');
    const [, started] = decided as readonly { readonly data: { readonly clockId?: string } }[];
    const clockId = started?.data.clockId ?? '';
    const failed = { type: 'ClockEnded', data: { roundId: 'round-1', clockId, failure } } as const;
    const command = { type: 'StartClock', data: { sessionId: SESSION_ID, roundId: 'round-1' } } as const;
    const [again] = sessionDecider.decide(
      command,
      sessionAfter(begin(), wait, ...decided, failed),
    ) as typeof decided;
    expect(again).toMatchObject({ type: 'ClockStarted', data: { clockId: expect.any(String) } });
    expect(again).not.toMatchObject({ data: { clockId } });
  });

  it('are none where the machine of the fork rests', () => {
    const resting = { ...timed, goalState: 'triage' };
    expect(typesOf(fork({ ...fresh, machine: resting }), begin(), wait)).not.toContainEqual([
      'ClockStarted',
      true,
      true,
    ]);
  });

  it('are none after as many decisions of timers in a row as there may be', () => {
    const decisions = Array.from({ length: MOST_TIMED }, byTimer);
    expect(typesOf(fork(fresh), begin(), ...decisions, wait)).toEqual([['SessionForked', false, false]]);
  });

  it('had no times before 0.3.1, as a recorded command without `freshRound` says', () => {
    expect(typesOf(fork(), begin(), wait)).toEqual([
      ['SessionForked', true, false],
      ['ClockStarted', true, false],
    ]);
    expect(typesOf(fork(), begin(), wait, proposed())).toEqual([['SessionForked', true, false]]);
  });
});
