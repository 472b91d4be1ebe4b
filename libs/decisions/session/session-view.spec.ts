import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import { machineHash } from '#lib/decisions/machines';
import type { SessionEvent } from './session.events.js';
import { sessionViewAt, statusAt } from './session-view.js';
import { basis, MARGIN, NEEDED, notReached } from './testing/arbitration-examples.js';
import {
  created,
  executed,
  FAILURE,
  machine,
  proposed,
  SESSION_ID,
  setAside,
  solicited,
} from './testing/session-examples.js';

const timeOf = (revision: number) => `2026-01-02T03:04:0${revision}.000Z`;

function recorded(...events: readonly SessionEvent[]): RecordedEvent<SessionEvent>[] {
  return events.map((event, revision) => ({
    ...event,
    eventId: `event-${revision}`,
    schemaVersion: 1,
    stream: 'session',
    revision,
    position: `log.${revision}`,
    occurredAt: timeOf(revision),
    metadata: {
      schemaVersion: 1,
      occurredAt: timeOf(revision),
      correlationId: SESSION_ID,
      causationId: 'cause',
      commandId: 'command',
      actor: 'operator',
    },
  }));
}

const history = recorded(
  created({ machineVersion: 2, metaJson: { order: 7 } }),
  solicited(),
  proposed({ solicitationId: 'solicitation-1' }),
  executed({ transitionName: 'escalate', toState: 'escalated', reasoning: 'why', proposalId: 'proposal-1' }),
  executed({
    roundId: 'round-2',
    nextRoundId: 'round-3',
    transitionName: 'resolve',
    fromState: 'escalated',
    metaJson: { amount: 5 },
  }),
);
const at = (revision: number) => sessionViewAt(history.slice(0, revision + 1));

const escalation = {
  transitionName: 'escalate',
  fromState: 'triage',
  toState: 'escalated',
  reasoning: 'why',
  isHuman: false,
  decidedBy: 'arbiter',
  proposalId: 'proposal-1',
  executionTimestamp: timeOf(3),
};

describe('sessionViewAt', () => {
  it('shows nothing before the session exists', () => {
    expect(sessionViewAt([])).toBeUndefined();
    expect(sessionViewAt(recorded(executed()))).toBeUndefined();
  });

  it('D-7: shows a session as it was created', () => {
    expect(at(0)).toStrictEqual({
      sessionId: SESSION_ID,
      machineName: 'support',
      machineVersion: 2,
      machineHash: machineHash(machine),
      currentState: 'triage',
      currentRoundId: 'round-1',
      status: 'open',
      history: [],
      machine,
      metaJson: { order: 7 },
      createdAt: timeOf(0),
      updatedAt: timeOf(0),
      revision: 0,
    });
  });

  it('leaves absent what the session does not have', () => {
    const { type, data } = created();
    const { machineVersion: _, ...bare } = data;
    const view = sessionViewAt(recorded({ type, data: bare })) ?? {};
    expect(view).not.toHaveProperty('machineVersion');
    expect(view).not.toHaveProperty('metaJson');
  });

  it('moves on in revision and time with every event, in state only with a transition', () => {
    const { revision, updatedAt, ...rest } = at(2) ?? {};
    expect({ revision, updatedAt }).toEqual({ revision: 2, updatedAt: timeOf(2) });
    expect(at(0)).toMatchObject(rest);
  });

  it('shows state, round and history as they were after any revision', () => {
    expect(at(3)).toMatchObject({
      currentState: 'escalated',
      currentRoundId: 'round-2',
      status: 'open',
      history: [escalation],
      createdAt: timeOf(0),
      updatedAt: timeOf(3),
    });
  });

  it('D-8: shows a session at rest as done', () => {
    expect(at(4)).toMatchObject({ currentState: 'refunded', currentRoundId: 'round-3', status: 'done' });
    expect(at(4)?.history).toStrictEqual([
      escalation,
      {
        transitionName: 'resolve',
        fromState: 'escalated',
        toState: 'refunded',
        reasoning: '',
        metaJson: { amount: 5 },
        isHuman: false,
        decidedBy: 'operator',
        executionTimestamp: timeOf(4),
      },
    ]);
  });

  it('D-43: needs a human from the request for one until a proposal or a transition comes', () => {
    const statuses = (...events: readonly SessionEvent[]) =>
      recorded(created(), NEEDED, ...events).map(
        (_, revision, all) => sessionViewAt(all.slice(0, revision + 1))?.status,
      );
    const split = notReached(basis(MARGIN, [proposed()]));
    expect(statuses(solicited(), FAILURE, setAside('late'), split)).toEqual([
      'open',
      ...Array.from({ length: 5 }, () => 'needs_human'),
    ]);
    expect(statuses(proposed(), NEEDED)).toEqual(['open', 'needs_human', 'open', 'needs_human']);
    expect(statuses(executed({ toState: 'escalated' }))).toEqual(['open', 'needs_human', 'open']);
    expect(statuses(executed())).toEqual(['open', 'needs_human', 'done']);
  });

  it('is not disturbed by failures, nor by a second creation', () => {
    const view = sessionViewAt(recorded(created(), solicited(), FAILURE, created({ initialState: 'lost' })));
    expect(view).toMatchObject({ currentState: 'triage', revision: 2, updatedAt: timeOf(2) });
  });
});

describe('statusAt', () => {
  it('is done at the goal, although a way leads on, and when no way leads on', () => {
    expect(
      ['triage', 'escalated', 'refunded', 'lost', 'constructor'].map((state) => statusAt(machine, state)),
    ).toEqual(['open', 'open', 'done', 'done', 'done']);
  });
});
