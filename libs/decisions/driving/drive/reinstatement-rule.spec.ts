import { expect, it } from '@jest/globals';
import { normalizeMachine } from '#lib/decisions/machines';
import { type Session, sessionDecider, type SessionEvent } from '#lib/decisions/session';
import { EventCodec, EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { fold, systemClock } from '#lib/kernel';
import { CommandWriter, WrittenPosition } from '#lib/operations/core';
import { ReinstatementRule } from './reinstatement-rule.js';

const states = { triage: { transitions: { close: 'closed' } }, closed: {} };
const machine = normalizeMachine({
  machineName: 'support',
  initialState: 'triage',
  goalState: 'closed',
  states,
});
const ID = '3c1a2b7e-0000-4000-8000-000000000001';

it('enables a disabled proposer again when all answers are invalid, and never for a fork', async () => {
  const log = new EventLog(new InMemoryEventStore(), new EventCodec([]), new StreamNames());
  const rule = new ReinstatementRule(new CommandWriter(log, systemClock, new WrittenPosition()));
  const command = { type: 'CreateSession', data: { sessionId: ID, roundId: ID, machine } } as const;
  const events = sessionDecider.decide(command, null) as readonly SessionEvent[];
  const session = { ...(fold(sessionDecider, events) as Session), invalid: ['clerk'] };
  const disabled = { role: 'proposer', specialistId: 'judge', machineName: 'support', disabledPosition: '1' };
  const roster = { proposers: ['clerk'], asked: [], registered: [disabled], roundBegan: '2', alignment: {} };
  const check = (one: Session) => rule.check(one, roster as never, { commandId: ID } as never);
  await expect(check(session)).rejects.toThrow('judge');
  expect(await check({ ...session, fork: { effects: 'allow', specialists: {}, lacks: [] } })).toBe(false);
});
