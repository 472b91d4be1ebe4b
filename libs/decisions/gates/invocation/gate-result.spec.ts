import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import { machineHash } from '#lib/decisions/machines';
import type { ProposalFailed, SessionCreated, SessionEvent } from '#lib/decisions/session';
import { gateMachine } from '../definition/gate-machine.js';
import { gateResult, settledInvocation } from './gate-result.js';

const machine = gateMachine({ gateId: 'release', choices: { ship: {}, hold: {} } });

function created(over = machine): SessionCreated {
  const { machineName, initialState } = over;
  const names = { sessionId: 's', machineName, machineHash: machineHash(over), initialState };
  return { type: 'SessionCreated', data: { ...names, roundId: 'r', machine: over } };
}

function proposed(specialistId: string, transitionName: string, given: object = {}): SessionEvent {
  const choice = { transitionName, toState: 'done', reasoning: `${specialistId} says so`, ...given };
  const ids = {
    proposalId: `p-${specialistId}`,
    roundId: 'r',
    specialistId,
    specialistVersion: 1,
    isHuman: false,
  };
  return { type: 'ProposalSubmitted', data: { ...ids, ...choice } };
}

const failed: ProposalFailed = {
  type: 'ProposalFailed',
  data: {
    solicitationId: 'x',
    roundId: 'r',
    specialistId: 'deaf',
    failure: { kind: 'timeout', message: 'late' },
  },
};
const needed: SessionEvent = {
  type: 'HumanInputRequested',
  data: { roundId: 'r', reason: 'no-consensus', detail: 'split' },
};

function executed(over: object): SessionEvent {
  const round = { roundId: 'r', nextRoundId: 'r2', fromState: 'evaluate', toState: 'done' };
  return {
    type: 'TransitionExecuted',
    data: {
      ...round,
      transitionName: 'ship',
      reasoning: 'fine',
      isHuman: false,
      decidedBy: 'judge',
      ...over,
    },
  };
}

/** The n-th event happens n seconds after the first. */
function history(...events: readonly SessionEvent[]): readonly RecordedEvent<SessionEvent>[] {
  return events.map((event, revision) => {
    const occurredAt = new Date(Date.UTC(2026, 0, 1) + revision * 1000).toISOString();
    const metadata = {
      schemaVersion: 1,
      occurredAt,
      correlationId: 's',
      causationId: 'c',
      commandId: 'c',
      actor: 'operator',
    };
    const place = { eventId: `e-${revision}`, schemaVersion: 1, stream: 'session-s', revision };
    return { ...event, ...place, position: `${revision}`, occurredAt, metadata };
  });
}

describe('gateResult', () => {
  it('says what was decided, by whose proposal, and what all of them cost', () => {
    const costs = { costUSD: 0.5, numInputTokens: 10, numOutputTokens: 1, metaJson: { sure: true } };
    const events = history(
      created(),
      proposed('ann', 'ship', costs),
      proposed('bob', 'hold', { costUSD: 0.25, numInputTokens: 5 }),
      failed,
      executed({ proposalId: 'p-ann', metaJson: { sure: true } }),
    );
    expect(gateResult(events)).toEqual({
      gateId: 'release',
      sessionId: 's',
      roundId: 'r',
      decision: 'ship',
      metaJson: { sure: true },
      needsHuman: false,
      isHuman: false,
      reasoning: 'fine',
      proposals: [
        expect.objectContaining({ specialistId: 'ann', status: 'won', costUSD: 0.5 }),
        expect.objectContaining({ specialistId: 'bob', status: 'lost' }),
      ],
      failures: [{ specialistId: 'deaf', failure: { kind: 'timeout', message: 'late' } }],
      costUSD: 0.75,
      latencyMsec: 4000,
      numInputTokens: 15,
      numOutputTokens: 1,
    });
  });

  it('says why a person is needed, and no cost when none is known', () => {
    const result = gateResult(history(created(), proposed('ann', 'ship'), needed));
    expect(result).toEqual({
      gateId: 'release',
      sessionId: 's',
      roundId: 'r',
      needsHuman: true,
      isHuman: false,
      reasoning: 'split',
      proposals: [expect.objectContaining({ specialistId: 'ann', status: 'open' })],
      failures: [],
      latencyMsec: 2000,
    });
  });

  it('says what a person decided later', () => {
    const forced = executed({ transitionName: 'hold', reasoning: 'no', isHuman: true });
    const result = gateResult(history(created(), proposed('ann', 'ship'), needed, forced));
    expect(result).toMatchObject({
      decision: 'hold',
      needsHuman: false,
      isHuman: true,
      reasoning: 'no',
      proposals: [{ status: 'lost' }],
      latencyMsec: 3000,
    });
  });

  it('shows a proposal that came too late, and measures to the decision alone', () => {
    const { data } = proposed('bob', 'hold') as Extract<SessionEvent, { type: 'ProposalSubmitted' }>;
    const late: SessionEvent = { type: 'ProposalSetAside', data: { ...data, reason: 'late' } };
    const result = gateResult(history(created(), executed({}), late));
    expect(result).toMatchObject({ latencyMsec: 1000, proposals: [{ status: 'late' }] });
  });

  it('never measures less than nothing', () => {
    const [first, ...rest] = history(created(), executed({}));
    const later = first && { ...first, occurredAt: '2027-01-01T00:00:00.000Z' };
    expect(gateResult([...(later ? [later] : []), ...rest])?.latencyMsec).toBe(0);
  });

  it('gives nothing for a session of another machine, or for none', () => {
    const other = { ...machine, initialState: 'done' };
    expect(gateResult(history(created(other)))).toBeUndefined();
    expect(gateResult([])).toBeUndefined();
  });
});

describe('settledInvocation', () => {
  it('ends with the first event that decides or turns to a person', () => {
    const whole = history(created(), proposed('ann', 'ship'), needed, executed({ isHuman: true }));
    expect(settledInvocation(whole)).toEqual(whole.slice(0, 3));
    const decided = history(created(), executed({}), failed);
    expect(settledInvocation(decided)).toEqual(decided.slice(0, 2));
  });

  it('is not there while nothing is settled', () => {
    expect(settledInvocation(history(created(), proposed('ann', 'ship')))).toBeUndefined();
  });

  it('X-D7: adds up the costs of proposals and of those that failed', () => {
    const spent: SessionEvent = { ...failed, data: { ...failed.data, costUSD: 0.25 } };
    const asked = history(created(), proposed('a', 'ship', { costUSD: 0.5 }), spent);
    expect(gateResult(asked)).toMatchObject({ costUSD: 0.75 });
  });
});
