import { describe, expect, it } from '@jest/globals';
import { isRejection } from '#lib/kernel';
import { defaultArbiter } from '../process/lacking-specialists.js';
import type { SubmitArbitration } from '../session.commands.js';
import { sessionDecider } from '../session.decider.js';
import type { SessionEvent } from '../session.events.js';
import {
  AGREED,
  alignment,
  arbitrate,
  arbitrationRequested,
  basis,
  EXTERNAL,
  force,
  MARGIN,
  NO_VERDICT,
  notReached,
  opposed,
  reached,
  verdictSetAside,
} from '../testing/arbitration-examples.js';
import { created, executed, proposed, SESSION_ID, sessionAfter } from '../testing/session-examples.js';
import { arbitrationResult } from './arbitration-result.js';

/** The result of a command, with the verdict of its arbiter. */
function told(
  history: readonly SessionEvent[],
  command: SubmitArbitration,
  later: readonly SessionEvent[] = [],
) {
  const session = sessionAfter(created(), ...history);
  const events = sessionDecider.decide(command, session);
  if (isRejection(events)) throw new Error(events.message);
  return arbitrationResult(command.data, session, [...events, ...later]);
}

const who = { arbitrationId: 'arbitration-1', sessionId: SESSION_ID, roundId: 'round-1' };
const unmet = { ...who, stale: false, executed: false, isHuman: false };
const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });
const two = [proposed(), opposed()];
const looked = basis(EXTERNAL, two);
const external = arbitrate({ arbiter: EXTERNAL });

describe('arbitrationResult', () => {
  it.each<[string, readonly SessionEvent[], SubmitArbitration, readonly SessionEvent[], object]>([
    ['of a person', [], force({ costUSD: 0.5 }), [], { costUSD: 0.5 }],
    ['of a built-in arbiter', [proposed()], arbitrate({ latencyMsec: 7 }), [], { latencyMsec: 7 }],
    ['without consensus', two, external, [notReached(looked, { spent: { costUSD: 2 } })], { costUSD: 2 }],
    [
      'of a verdict that decides nothing',
      two,
      external,
      [verdictSetAside('invalid', { ...AGREED, numInputTokens: 4 })],
      { numInputTokens: 4 },
    ],
  ])('X-D7: says what an arbitration took: %s', (_, history, command, later, spent) => {
    expect(told(history, command, later)).toMatchObject(spent);
  });

  it('D-38: of consensus says who won, what was executed, and why', () => {
    const result = told([proposed({ reasoning: 'why', metaJson: { amount: 5 } })], arbitrate());
    expect(result).toStrictEqual({
      ...who,
      stale: false,
      guardsPass: true,
      guardReason: 'Consensus reached: assistant proposed first',
      winningProposalId: 'proposal-1',
      transitionName: 'refund',
      toState: 'refunded',
      reasoning: 'why',
      executed: true,
      isHuman: false,
      decidedBy: 'arbiter',
      metaJson: { amount: 5 },
    });
  });

  it('D-38: of an override names no winner', () => {
    expect(told(two, force({ reasoning: 'I know her' }))).toStrictEqual({
      ...who,
      specialistId: 'ada',
      stale: false,
      guardsPass: true,
      guardReason: 'Human override accepted',
      transitionName: 'escalate',
      toState: 'escalated',
      reasoning: 'I know her',
      executed: true,
      isHuman: true,
      decidedBy: 'ada',
    });
  });

  it('D-38: of no consensus says so: guards pass, and nothing was executed', () => {
    const even = alignment({ assistant: 0.5, other: 0.5 });
    expect(told(two, arbitrate({ arbiter: MARGIN, alignment: even }))).toStrictEqual({
      ...unmet,
      guardsPass: true,
      guardReason: 'No consensus: margin 0.00 of "refund", threshold 1',
    });
  });

  it('D-38: says the same again when nothing is written, as nothing has changed', () => {
    const even = arbitrate({ arbiter: MARGIN, alignment: alignment({ assistant: 0.5, other: 0.5 }) });
    const known = basis(MARGIN, two, { alignment: even.data.alignment, threshold: 1 });
    const said = notReached(known, { reasoning: 'margin 0.00 of "refund", threshold 1' });
    expect(told([...two, said], even)).toStrictEqual(told(two, even));
    const once = arbitrate({ arbiter: EXTERNAL, unlessJudged: true });
    const failed = [...two, arbitrationRequested(looked), NO_VERDICT];
    expect(told(failed, once)).toStrictEqual({
      ...unmet,
      guardsPass: false,
      guardReason: 'The arbiter gave no usable verdict: HTTP 500: busy',
    });
  });

  it('D-38: of a round that is over is stale', () => {
    const roundId = 'round-1';
    const stale = {
      ...unmet,
      roundId,
      stale: true,
      guardsPass: false,
      guardReason: 'The round is not the current one: it was decided already',
    };
    expect(told([escalated], arbitrate({ roundId }))).toStrictEqual(stale);
    expect(told([escalated], force({ roundId }))).toStrictEqual({ ...stale, specialistId: 'ada' });
  });

  it('X-T5: says that the default decided when the built-in arbiter of run did', () => {
    expect(told([proposed()], arbitrate({ arbiter: defaultArbiter }))).toMatchObject({
      executed: true,
      decidedBy: 'default',
    });
  });

  it('D-38: of an override by a specialist that is not human names who may override', () => {
    expect(told(two, force({ isHuman: false, specialistId: 'assistant' }))).toStrictEqual({
      ...unmet,
      specialistId: 'assistant',
      guardsPass: false,
      guardReason: 'Only human specialists can force arbitration',
    });
  });

  it('D-38: of a round without proposals says so', () => {
    expect(told([], arbitrate())).toStrictEqual({
      ...unmet,
      guardsPass: false,
      guardReason: 'No proposals submitted in this round',
    });
  });

  it('names the round that was current when the command names none', () => {
    expect(told([escalated], arbitrate())).toMatchObject({ roundId: 'round-2', guardsPass: false });
  });

  describe('of an arbiter that was asked', () => {
    it('D-38: says what its verdict led to', () => {
      const later = [reached(looked, { reasoning: 'agreed' }), executed({ proposalId: 'proposal-1' })];
      expect(told(two, external, later)).toMatchObject({
        guardsPass: true,
        guardReason: 'Consensus reached: agreed',
        winningProposalId: 'proposal-1',
        executed: true,
      });
    });

    it.each<[string, SessionEvent, object]>([
      ['no consensus', notReached(looked), { guardsPass: true, guardReason: 'No consensus: split' }],
      [
        'a failure',
        NO_VERDICT,
        { guardsPass: false, guardReason: 'The arbiter gave no usable verdict: HTTP 500: busy' },
      ],
      [
        'a missing winner',
        verdictSetAside('invalid', { ...AGREED, winningProposalId: 'proposal-9' }),
        {
          guardsPass: false,
          guardReason: 'The verdict names no proposal that the arbiter was shown as the winner',
        },
      ],
      [
        'a verdict that came too late',
        verdictSetAside('late'),
        {
          stale: true,
          guardsPass: false,
          guardReason: 'The round is not the current one: it was decided already',
        },
      ],
    ])('D-38: says %s', (_, end, outcome) => {
      expect(told(two, external, [end])).toStrictEqual({ ...unmet, ...outcome });
    });

    it('says that it is being asked until it has answered', () => {
      expect(told(two, external)).toStrictEqual({
        ...unmet,
        guardsPass: true,
        guardReason: 'The arbiter is being asked',
      });
    });
  });
});
