import { type Event, fold, isRejection, type RecordedEvent } from '#lib/kernel';
import { normalizeMachine } from '#lib/decisions/machines';
import {
  type ArbiterRef,
  type SessionCommand,
  sessionDecider,
  type SessionEvent,
} from '#lib/decisions/session';

const SESSION_ID = '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0b02';
export const ARBITRATION_ID = '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0b01';

/** The function or webhook of a session's arbiter. */
export type Arbiter = Pick<ArbiterRef, 'strategyFnName' | 'strategyWebhookUrl' | 'webhookTokenName'>;

export const byFunction: Arbiter = { strategyFnName: 'majority' };
export const byWebhook: Arbiter = {
  strategyWebhookUrl: 'https://judge.test/v1?x=1',
  webhookTokenName: 'JUDGE_TOKEN',
};

const machine = normalizeMachine({
  machineName: 'support',
  initialState: 'triage',
  goalState: 'refunded',
  consensusThreshold: 0.4,
  states: { triage: { prompt: 'What next?', transitions: { refund: 'refunded' } }, refunded: {} },
});

const scores = [{ specialistId: 'assistant', specialistVersion: 1, score: 0.5 }];

/** A session with one proposal, up to the request to its arbiter. */
export function askingSession(arbiter: Arbiter): readonly RecordedEvent<SessionEvent>[] {
  const judge = { specialistId: 'judge', specialistVersion: 1, ...arbiter };
  const proposal = {
    specialistId: 'assistant',
    specialistVersion: 1,
    isHuman: false,
    proposalId: 'proposal-1',
  };
  const chosen = { transitionName: 'refund', reasoning: 'It broke.' };
  const question = { arbitrationId: ARBITRATION_ID, nextRoundId: 'round-2', isHuman: false, arbiter: judge };
  const alignment = { rule: 'wilson', ruleVersion: 1, scores };
  return decided([
    { type: 'CreateSession', data: { sessionId: SESSION_ID, roundId: 'round-1', machine } },
    { type: 'SubmitProposal', data: { sessionId: SESSION_ID, ...proposal, ...chosen } },
    { type: 'SubmitArbitration', data: { sessionId: SESSION_ID, ...question, alignment } },
  ]);
}

function decided(commands: readonly SessionCommand[]): readonly RecordedEvent<SessionEvent>[] {
  const history: RecordedEvent<SessionEvent>[] = [];
  for (const command of commands) {
    const events = sessionDecider.decide(command, fold(sessionDecider, history));
    if (isRejection(events)) throw new Error(events.message);
    for (const event of events) history.push(recorded(event, history.length));
  }
  return history;
}

function recorded<E extends Event>(event: E, revision: number): RecordedEvent<E> {
  const occurredAt = '2026-01-02T03:04:05.678Z';
  const ids = { correlationId: SESSION_ID, causationId: 'c', commandId: 'c' };
  const place = { stream: `redial_session-${SESSION_ID}`, revision, position: `log.${revision}` };
  const metadata = { schemaVersion: 1, occurredAt, ...ids, actor: 'spec' };
  return { ...event, ...place, eventId: `event-${revision}`, schemaVersion: 1, occurredAt, metadata };
}
