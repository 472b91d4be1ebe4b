import { describe, expect, it } from '@jest/globals';
import type { TrustPolicy } from '#lib/decisions/machines';
import { machine } from '../testing/session-examples.js';
import { alignmentMargin } from './alignment-margin.js';
import { firstProposal } from './built-in-arbiters.js';
import { effectiveTrust, isTrusted, weightOf } from './trust.js';

const known = (specialistId: string, comparisons: number, score: number) => ({
  specialistId,
  specialistVersion: 1,
  comparisons,
  score,
});
const scores = [
  known('veteran', 20, 0.8),
  known('novice', 1, 0.2),
  { specialistId: 'new', specialistVersion: 1, score: 0 },
];
const alignment = { rule: 'wilson', ruleVersion: 1, scores };
const by = (specialistId: string, isHuman = false) => ({ specialistId, specialistVersion: 1, isHuman });
const trusted = (author: ReturnType<typeof by>, trust?: TrustPolicy) =>
  isTrusted(author, { alignment, ...(trust && { trust }) });

describe('X-T4: trust', () => {
  it('is given to each proposer when no policy is set, and by the default of 0 and 0', () => {
    for (const author of [by('veteran'), by('novice'), by('new'), by('unknown')]) {
      expect(trusted(author)).toBe(true);
      expect(trusted(author, {})).toBe(true);
      expect(trusted(author, { minComparisons: 0, minAlignment: 0 })).toBe(true);
    }
  });

  it('is given from as many comparisons and as much alignment on as the policy asks for', () => {
    expect(trusted(by('veteran'), { minComparisons: 20, minAlignment: 0.8 })).toBe(true);
    expect(trusted(by('veteran'), { minComparisons: 21 })).toBe(false);
    expect(trusted(by('veteran'), { minAlignment: 0.81 })).toBe(false);
    expect(trusted(by('novice'), { minComparisons: 2 })).toBe(false);
    expect(trusted(by('new'), { minComparisons: 1 })).toBe(false);
    expect(trusted({ ...by('veteran'), specialistVersion: 2 }, { minComparisons: 1 })).toBe(false);
    expect(trusted(by('constructor'), { minComparisons: 1 })).toBe(false);
  });

  it('is always given to people', () => {
    const strict = { alignment, trust: { minComparisons: 1000, minAlignment: 1 } };
    expect(isTrusted(by('ada', true), strict)).toBe(true);
    expect(weightOf(by('ada', true), strict)).toBe(1);
  });

  it('below it a proposer has no weight, however well it is aligned', () => {
    expect(weightOf(by('veteran'), { alignment })).toBe(0.8);
    expect(weightOf(by('veteran'), { alignment, trust: { minComparisons: 21 } })).toBe(0);
  });

  it("is the state's, else the machine's, else the arbiter's, each as a whole", () => {
    const arbiter = { trust: { minComparisons: 1, minAlignment: 0.1 } };
    const place = (ofMachine?: TrustPolicy, ofState?: TrustPolicy) => ({
      currentState: 'triage',
      machine: {
        ...machine,
        ...(ofMachine && { trust: ofMachine }),
        states: { ...machine.states, triage: ofState ? { trust: ofState } : {} },
      },
    });
    expect(effectiveTrust(place(), {})).toBeUndefined();
    expect(effectiveTrust(place(), arbiter)).toBe(arbiter.trust);
    expect(effectiveTrust(place({ minComparisons: 2 }), arbiter)).toEqual({ minComparisons: 2 });
    expect(effectiveTrust(place({ minComparisons: 2 }, { minAlignment: 0.5 }), arbiter)).toEqual({
      minAlignment: 0.5,
    });
    expect(effectiveTrust(place({ minComparisons: 2 }, {}), arbiter)).toEqual({});
  });
});

describe('X-T4: a built-in arbiter with a trust policy', () => {
  const trust = { minComparisons: 10, minAlignment: 0.5 };
  const proposal = (specialistId: string, transitionName: string, isHuman = false) => ({
    proposalId: `proposal of ${specialistId}`,
    specialistId,
    specialistVersion: 1,
    isHuman,
    transitionName,
  });
  const novice = proposal('novice', 'refund');
  const veteran = proposal('veteran', 'escalate');

  it('lets no lone proposal of an untrusted proposer win', () => {
    const verdict = { consensusReached: false, reasoning: 'no proposer is trusted yet' };
    for (const judge of [alignmentMargin, firstProposal]) {
      expect(judge({ proposals: [novice], alignment, trust })).toEqual(verdict);
      expect(judge({ proposals: [novice], alignment })).toMatchObject({ consensusReached: true });
      expect(judge({ proposals: [veteran], alignment, trust })).toMatchObject({ consensusReached: true });
      expect(judge({ proposals: [], alignment, trust })).toMatchObject({ reasoning: 'no proposals' });
    }
  });

  it('goes by the trusted ones alone', () => {
    const question = { proposals: [novice, veteran], alignment, trust };
    expect(alignmentMargin(question)).toMatchObject({
      winningProposalId: veteran.proposalId,
      margin: 1,
    });
    expect(firstProposal(question)).toMatchObject({ winningProposalId: veteran.proposalId });
    expect(
      firstProposal({ ...question, proposals: [novice, proposal('ada', 'escalate', true)] }),
    ).toMatchObject({
      winningProposalId: 'proposal of ada',
    });
  });
});
