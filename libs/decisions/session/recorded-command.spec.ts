import { describe, expect, it } from '@jest/globals';
import { commandEventIds } from '#lib/event-store';
import { type JsonObject, jsonText } from '#lib/kernel';
import { mergeGiven } from './choice.js';
import { recordedCommand } from './session.decider.js';
import type { CloseSolicitation } from './session.commands.js';
import type { ProposalSubmitted } from './session.events.js';
import { proposed } from './testing/session-examples.js';

const { record, rebuild } = recordedCommand;
const about = { commandId: '6f1a6a5e-3f64-4b5e-9f0b-0c5a3f6f7d11', occurredAt: '2026-01-02T03:04:05.678Z' };
const given = { note: 'as the model said it' };

function close(metaJson: JsonObject): CloseSolicitation {
  const { transitionName, toState, reasoning } = proposed({}).data;
  const choice = { transitionName, toState, reasoning, metaJson };
  const { proposalId } = proposed({}).data;
  return {
    type: 'CloseSolicitation',
    data: { sessionId: 's', solicitationId: 'a', proposalId, result: { choice } },
  };
}

describe('the command that the event of a proposal keeps', () => {
  const event = proposed({ metaJson: given, solicitationId: 'a' });

  it('is what the event does not hold, and is the same command again', () => {
    const kept = record(close(given), [event]);
    expect(kept).toEqual({ type: 'CloseSolicitation', besides: { sessionId: 's' } });
    const again = rebuild(kept, [event]);
    expect(jsonText(again.data)).toContain(jsonText(close(given).data.result));
    expect(again).toEqual(close(given));
    expect(commandEventIds(again, about)(0)).toBe(commandEventIds(close(given), about)(0));
  });

  it('holds the members that the event lacks, for any cost', () => {
    const { transitionName, toState, reasoning } = proposed({}).data;
    const cost = { costUSD: 0.5, latencyMsec: 3, numInputTokens: 2, numOutputTokens: 1 };
    const choice = mergeGiven({ ...cost, metaJson: given, reasoning, toState, transitionName }, {});
    const { data } = close(given);
    const closing: CloseSolicitation = { type: 'CloseSolicitation', data: { ...data, result: { choice } } };
    const { roundId, specialistId, specialistVersion, isHuman, proposalId } = proposed({}).data;
    const proposer = { specialistId, specialistVersion, isHuman };
    const made: ProposalSubmitted = {
      type: 'ProposalSubmitted',
      data: { proposalId, roundId, ...proposer, ...mergeGiven(choice, {}), solicitationId: 'a' },
    };
    expect(record(closing, [made])).toEqual({ type: 'CloseSolicitation', besides: { sessionId: 's' } });
  });

  it('is whole when the event holds other values, because the caller gave them', () => {
    const other = close({ note: 'another' });
    expect(record(other, [event])).toEqual(other);
    expect(rebuild(other, [event])).toEqual(other);
  });

  it('leads to other ids of events when the event was changed', () => {
    const kept = record(close(given), [event]);
    const changed = proposed({ metaJson: { note: 'changed' }, solicitationId: 'a' });
    const again = rebuild(kept, [changed]);
    expect(commandEventIds(again, about)(0)).not.toBe(commandEventIds(close(given), about)(0));
  });
});
