import { describe, expect, it } from '@jest/globals';
import { activeTimes } from './active-time.js';
import { roundsOf, type TimelineEvent } from './rounds.js';
import { rowsOf } from './rows.js';

const SOLICITATION = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
let revision = 0;

function event(type: string, data: object, { at = 0, stream = 'session-s' } = {}): TimelineEvent {
  revision += 1;
  const occurredAt = new Date(Date.UTC(2026, 0, 1) + at).toISOString();
  const place = { eventId: `e${revision}`, schemaVersion: 1, stream, revision, position: `${revision}` };
  return { ...place, type, occurredAt, data, metadata: {}, summary: type };
}

const ofRun = (type: string, data: object, at = 0) =>
  event(type, data, { at, stream: `solicitation-${SOLICITATION}` });

describe('the rounds of a session', () => {
  it('hold the events of what the session asked for, also those that came late, and name who was asked', () => {
    const rounds = roundsOf([
      event('ProposalSolicited', { roundId: 'r1', solicitationId: SOLICITATION, specialistId: 'clerk' }),
      event('TransitionExecuted', { roundId: 'r1', transitionName: 'go', decidedBy: 'ann', isHuman: true }),
      event('HumanInputRequested', { roundId: 'r2' }),
      ofRun('LlmCallCompleted', {}),
    ]);
    expect(rounds.map(({ entries }) => entries.map(({ event: { type } }) => type))).toEqual([
      ['ProposalSolicited', 'TransitionExecuted', 'LlmCallCompleted'],
      ['HumanInputRequested'],
    ]);
    expect(rounds[0]?.entries[2]).toMatchObject({ asked: 'clerk', isOfRun: true });
    expect(rounds[0]?.decision).toMatchObject({ by: 'ann', isHuman: true, transitionName: 'go' });
    expect(rounds[1]?.decision).toBeUndefined();
  });

  it('count the steps down the ladder for each run by itself', () => {
    const [round] = roundsOf([
      event('ProposalSolicited', { roundId: 'r1', solicitationId: SOLICITATION, specialistId: 'clerk' }),
      event('ProposalSolicited', { roundId: 'r1', solicitationId: OTHER, specialistId: 'other' }),
      ofRun('FallbackTaken', {}),
      ofRun('FallbackTaken', {}),
      ofRun('LlmCallRequested', {}),
      event('LlmCallRequested', {}, { stream: `solicitation-${OTHER}` }),
    ]);
    expect(round?.entries.map(({ rung }) => rung)).toEqual([0, 0, 0, 1, 2, 0]);
  });

  it('have the events of a child in the round of the run that began it', () => {
    const rounds = roundsOf([
      event('ProposalSolicited', { roundId: 'r1', solicitationId: SOLICITATION, specialistId: 'clerk' }),
      ofRun('ChildStarted', { runId: OTHER }),
      event('ToolCallRequested', {}, { stream: `planner-${OTHER}` }),
    ]);
    expect(rounds).toHaveLength(1);
    expect(rounds[0]?.entries[2]).toMatchObject({ asked: 'clerk' });
  });

  it('are shown as rows: folded ones as one, idle time as a row between two events', () => {
    const rounds = roundsOf([
      event('SessionCreated', { roundId: 'r1' }),
      event('TransitionExecuted', { roundId: 'r1' }, { at: 3_600_000 }),
      event('HumanInputRequested', { roundId: 'r2' }, { at: 7_200_000 }),
    ]);
    const kinds = (isOpen: (id: string) => boolean) =>
      rowsOf(rounds, ({ id }) => isOpen(id), true).map(({ kind }) => kind);
    expect(kinds(() => true)).toEqual(['round', 'event', 'idle', 'event', 'idle', 'round', 'event']);
    expect(kinds((id) => id === 'r2')).toEqual(['round', 'idle', 'round', 'event']);
    const [, ...rest] = rowsOf(rounds.slice(0, 1), () => true, false);
    expect(rest.map(({ kind }) => kind)).toEqual(['idle', 'event']);
  });
});

describe('bars', () => {
  it('stand on a scale from which idle time is cut, and no call under way counts as idle', () => {
    const { bars, gaps } = activeTimes([
      event('LlmCallRequested', {}),
      event('LlmCallCompleted', { durationMs: 60_000 }, { at: 60_000 }),
      event('HumanInputRequested', {}, { at: 60_000 }),
      event('TransitionExecuted', {}, { at: 7_260_000 }),
    ]);
    expect(gaps).toEqual([undefined, undefined, undefined, 7_200_000]);
    expect(bars.map(({ left, width }) => [left, width])).toEqual([
      [0, 0],
      [0, 100],
      [100, 0],
      [100, 0],
    ]);
  });

  it('are there for a single event without a duration', () => {
    expect(activeTimes([event('SessionCreated', {})]).bars).toEqual([{ left: 0, width: 0 }]);
    expect(activeTimes([])).toEqual({ bars: [], gaps: [] });
  });
});
