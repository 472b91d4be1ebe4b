import { describe, expect, it } from '@jest/globals';
import { jsonText } from '#lib/kernel';
import {
  alignment,
  arbitrationRequested,
  basis,
  EXTERNAL,
  FIRST,
  MARGIN,
  NO_VERDICT,
  notReached,
  opposed,
} from '../testing/arbitration-examples.js';
import type { Session } from '../session.state.js';
import { created, executed, machine, proposed, sessionAfter } from '../testing/session-examples.js';
import type { AlignmentSnapshot } from './alignment-snapshot.js';
import type { ArbiterRef } from './consensus-question.js';
import { evaluateConsensus } from './evaluate-consensus.js';

const evaluate = (session: Session, arbiter: ArbiterRef, scores: AlignmentSnapshot, quorum = 2) =>
  evaluateConsensus(session, arbiter, { alignment: scores, quorum });

const two = sessionAfter(created(), proposed(), opposed());
const looked = basis(EXTERNAL, [proposed(), opposed()]);

describe('evaluateConsensus', () => {
  it('D-36: asks a built-in about the round as it is', () => {
    expect(evaluate(two, FIRST, alignment())).toStrictEqual({
      consensusReached: true,
      winningProposalId: 'proposal-1',
      reasoning: 'assistant proposed first',
      quorum: { needed: 2, present: 2 },
    });
    const trusted = alignment({ assistant: 0.2, other: 0.6 });
    expect(evaluate(two, { ...MARGIN, threshold: 0.5 }, trusted)).toStrictEqual({
      consensusReached: true,
      winningProposalId: 'proposal-2',
      reasoning: 'margin 0.50 of "escalate", threshold 0.5',
      margin: 0.5,
      threshold: 0.5,
      quorum: { needed: 2, present: 2 },
    });
  });

  it('D-35: shows the threshold that holds, also the one of the strategy', () => {
    expect(evaluate(two, MARGIN, alignment({ other: 1 }))).toMatchObject({ threshold: 1 });
    const strict = sessionAfter(created({ machine: { ...machine, consensusThreshold: 0.9 } }), proposed());
    expect(evaluate(strict, { ...MARGIN, threshold: 0.5 }, alignment()).threshold).toBe(0.9);
  });

  it('D-36: changes nothing in the session', () => {
    const text = jsonText(two);
    evaluate(two, MARGIN, alignment({ other: 1 }));
    expect(jsonText(two)).toBe(text);
  });

  it('D-36: does not ask any other arbiter: it has not judged, until its verdict is recorded', () => {
    const unknown = { consensusReached: false, reasoning: 'the arbiter has not judged this round' };
    expect(evaluate(two, EXTERNAL, alignment())).toMatchObject(unknown);
    const asked = sessionAfter(created(), proposed(), opposed(), arbitrationRequested(looked));
    expect(evaluate(asked, EXTERNAL, alignment())).toMatchObject(unknown);
  });

  it('D-36: shows the last recorded verdict of any other arbiter', () => {
    const said = notReached(looked, { reasoning: 'too close', margin: 0.1 });
    const judged = sessionAfter(created(), proposed(), opposed(), said);
    expect(evaluate(judged, { ...EXTERNAL, threshold: 0.5 }, alignment())).toStrictEqual({
      consensusReached: false,
      reasoning: 'too close',
      margin: 0.1,
      threshold: 0.5,
      quorum: { needed: 2, present: 2 },
    });
    const failed = sessionAfter(created(), proposed(), arbitrationRequested(looked), NO_VERDICT);
    expect(evaluate(failed, EXTERNAL, alignment()).reasoning).toBe('HTTP 500: busy');
  });

  it('D-36: does not show the verdict of another arbiter, or of a round that is over', () => {
    const reasoning = 'the arbiter has not judged this round';
    const judged = sessionAfter(created(), proposed(), opposed(), notReached(looked));
    const successor = { ...EXTERNAL, specialistId: 'successor' };
    expect(evaluate(judged, successor, alignment()).reasoning).toBe(reasoning);
    const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });
    const over = sessionAfter(created(), proposed(), notReached(looked), escalated);
    expect(evaluate(over, EXTERNAL, alignment()).reasoning).toBe(reasoning);
  });

  it('X-T1: shows how many proposals the engine needs, and evaluates a lone one as D-33 does', () => {
    const one = sessionAfter(created(), proposed());
    expect(evaluate(one, MARGIN, alignment())).toMatchObject({
      consensusReached: true,
      quorum: { needed: 2, present: 1 },
    });
  });

  it.each([FIRST, MARGIN, EXTERNAL])(
    'X-T1: sees no consensus below a quorum that is written: %j',
    (arbiter) => {
      const written = created({ machine: { ...machine, quorum: 2 } });
      expect(evaluate(sessionAfter(written, proposed()), arbiter, alignment())).toMatchObject({
        consensusReached: false,
        reasoning: 'the round has 1 of the 2 proposals that a decision needs',
        quorum: { needed: 2, present: 1 },
      });
    },
  );
});
