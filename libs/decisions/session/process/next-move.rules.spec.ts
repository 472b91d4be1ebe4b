import { describe, expect, it } from '@jest/globals';
import type { SessionEvent } from '../session.events.js';
import {
  alignment,
  arbitrationRequested,
  basis,
  EXTERNAL,
  FIRST,
  MARGIN,
  NEEDED,
  NO_VERDICT,
  notReached,
  opposed,
} from '../testing/arbitration-examples.js';
import {
  created,
  executed,
  FAILURE,
  proposed,
  sessionAfter,
  setAside,
  solicited,
} from '../testing/session-examples.js';
import { missingProposers, nextMove } from './next-move.rules.js';
import type { Roster } from './roster.js';

const roster: Roster = {
  proposers: ['assistant', 'other', 'third'],
  arbiter: MARGIN,
  alignment: alignment(),
  quorum: 1,
};
const { arbiter: _, ...withoutArbiter } = roster;
const next = (events: readonly SessionEvent[], over: Partial<Roster> = {}, among: Roster = roster) =>
  nextMove(sessionAfter(created(), ...events), { ...among, ...over });

const two = [proposed(), opposed()];
const looked = (proposals: Parameters<typeof basis>[1]) => basis(MARGIN, proposals, { threshold: 1 });
const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });
const human = proposed({
  proposalId: 'proposal-7',
  specialistId: 'ada',
  specialistVersion: 1,
  isHuman: true,
});
const asking = (specialistId: string, n: number) =>
  solicited({ specialistId, solicitationId: `solicitation-${n}` });
const failed = (specialistId: string, n: number): SessionEvent => ({
  ...FAILURE,
  data: { ...FAILURE.data, specialistId, solicitationId: `solicitation-${n}` },
});
const allFailed = ['assistant', 'other', 'third'].flatMap((who, n) => [asking(who, n), failed(who, n)]);

describe('nextMove', () => {
  it('D-43: rests at the goal and when no transition leads on', () => {
    expect(next([executed()])).toStrictEqual({ move: 'rest' });
    expect(next([escalated, executed({ transitionName: 'lose', toState: 'lost' })])).toStrictEqual({
      move: 'rest',
    });
  });

  it('D-43: asks one proposer at a time, in the order given', () => {
    expect(next([])).toStrictEqual({ move: 'solicit', specialistId: 'assistant' });
    expect(next([], { proposers: ['third', 'assistant'] })).toStrictEqual({
      move: 'solicit',
      specialistId: 'third',
    });
    expect(next([proposed()])).toStrictEqual({ move: 'solicit', specialistId: 'other' });
  });

  it('D-43: asks no proposer twice in a round: being asked, failed, or with a proposal set aside', () => {
    const other = { move: 'solicit', specialistId: 'other' };
    expect(next([solicited()])).toStrictEqual(other);
    expect(next([solicited(), FAILURE])).toStrictEqual(other);
    expect(next([solicited(), setAside('invalid', { solicitationId: 'solicitation-1' })])).toStrictEqual(
      other,
    );
  });

  it('D-43: asks everybody again in the next round', () => {
    expect(next([...allFailed, escalated])).toStrictEqual({ move: 'solicit', specialistId: 'assistant' });
  });

  it('D-43: evaluates consensus after two proposals, before the remaining proposers', () => {
    expect(next(two)).toStrictEqual({ move: 'arbitrate' });
    expect(next([proposed(), human])).toStrictEqual({ move: 'arbitrate' });
  });

  it('D-43: tries consensus on one proposal once everybody was asked and has answered', () => {
    const rest = allFailed.slice(2);
    expect(next([proposed(), ...rest.slice(0, 2)])).toMatchObject({ move: 'solicit' });
    expect(next([proposed(), ...rest.slice(0, 3)])).toStrictEqual({
      move: 'finish-solicitation',
      solicitationId: 'solicitation-2',
      specialistId: 'third',
    });
    expect(next([proposed(), ...rest])).toStrictEqual({ move: 'arbitrate' });
    expect(next([proposed()], { proposers: ['assistant'] })).toStrictEqual({ move: 'arbitrate' });
    expect(next([human], { proposers: [] })).toStrictEqual({ move: 'arbitrate' });
  });

  it('X-T1: tries consensus on no fewer proposals than the quorum, however the other proposers failed', () => {
    const one = [proposed(), ...allFailed.slice(2)];
    const short = {
      move: 'ask-human',
      reason: 'no-quorum',
      detail: 'the round has 1 of the 2 proposals that a decision needs',
    };
    for (const arbiter of [FIRST, MARGIN, EXTERNAL]) {
      expect(next(one, { arbiter, quorum: 2 })).toStrictEqual(short);
      expect(next([...one, human], { arbiter, quorum: 2 })).toStrictEqual({ move: 'arbitrate' });
    }
    expect(next(two, { quorum: 3 })).toStrictEqual({ move: 'solicit', specialistId: 'third' });
    expect(next([...two, ...allFailed.slice(4)], { quorum: 3 })).toMatchObject({ reason: 'no-quorum' });
  });

  it('D-43: does not put before the arbiter again what it has judged, or failed to judge', () => {
    const third = { move: 'solicit', specialistId: 'third' };
    expect(next([...two, notReached(looked(two))])).toStrictEqual(third);
    const shown = basis(EXTERNAL, two);
    const unjudged = [...two, arbitrationRequested(shown), NO_VERDICT];
    expect(next(unjudged, { arbiter: EXTERNAL })).toStrictEqual(third);
  });

  it('D-43: puts it before the arbiter again once something it looks at has changed', () => {
    const judged = [...two, notReached(looked(two))];
    expect(next([...judged, human])).toStrictEqual({ move: 'arbitrate' });
    expect(next(judged, { alignment: alignment({ other: 0.5 }) })).toStrictEqual({ move: 'arbitrate' });
    expect(next(judged, { arbiter: FIRST })).toStrictEqual({ move: 'arbitrate' });
    expect(next(judged, { alignment: alignment({}, { position: 'log.9' }) })).toMatchObject({
      move: 'solicit',
    });
  });

  it('finishes an open arbitration first', () => {
    const finish = { move: 'finish-arbitration', arbitrationId: 'arbitration-1' };
    expect(next([...two, arbitrationRequested(looked(two))])).toStrictEqual(finish);
    expect(next([...two, arbitrationRequested(looked(two)), human])).toStrictEqual(finish);
  });

  it('finishes an open solicitation once all proposers were asked', () => {
    const asked = ['assistant', 'other', 'third'].map(asking);
    expect(next(asked)).toStrictEqual({
      move: 'finish-solicitation',
      solicitationId: 'solicitation-0',
      specialistId: 'assistant',
    });
    expect(next([...asked, failed('assistant', 0)])).toMatchObject({ solicitationId: 'solicitation-1' });
  });

  it('leaves alone what is under way for a round that is over', () => {
    const old = [...two, arbitrationRequested(looked(two)), asking('third', 2), escalated];
    expect(next(old)).toStrictEqual({ move: 'solicit', specialistId: 'assistant' });
    expect(next(old, { proposers: [] })).toMatchObject({ move: 'ask-human' });
  });

  it('D-43: needs a human when no arbiter can judge, once each proposer was asked', () => {
    expect(next(two, {}, withoutArbiter)).toStrictEqual({ move: 'solicit', specialistId: 'third' });
    expect(next([...two, asking('third', 2)], {}, withoutArbiter)).toMatchObject({
      move: 'finish-solicitation',
    });
    expect(next([...two, ...allFailed.slice(4)], {}, withoutArbiter)).toStrictEqual({
      move: 'ask-human',
      reason: 'no-arbiter',
      detail: 'no arbiter is registered and enabled for this round',
    });
  });

  it.each<[string, readonly SessionEvent[], Partial<Roster>, object]>([
    [
      'no proposer can be asked',
      [],
      { proposers: [] },
      { reason: 'no-proposals', detail: 'no proposer gave a proposal' },
    ],
    ['everybody failed', allFailed, {}, { reason: 'no-proposals' }],
    [
      'the arbiter sees no consensus',
      [...two, notReached(looked(two), { reasoning: 'margin 0.00' })],
      { proposers: ['assistant', 'other'] },
      { reason: 'no-consensus', detail: 'margin 0.00' },
    ],
    [
      'the arbiter failed',
      [...two, arbitrationRequested(basis(EXTERNAL, two)), NO_VERDICT],
      { proposers: ['assistant', 'other'], arbiter: EXTERNAL },
      { reason: 'arbiter-failed', detail: 'HTTP 500: busy' },
    ],
  ])('D-43: needs a human where %s, and says why', (_, events, over, why) => {
    expect(next(events, over)).toMatchObject({ move: 'ask-human', ...why });
  });

  it('D-43: needs a human all the same after it was said, until something new comes', () => {
    expect(next([...allFailed, NEEDED])).toMatchObject({ move: 'ask-human' });
    expect(next([...allFailed, NEEDED, human])).toStrictEqual({ move: 'arbitrate' });
  });
});

describe('missingProposers', () => {
  const missing = (...events: readonly SessionEvent[]) =>
    missingProposers(sessionAfter(created(), ...events), roster);

  it('D-43: is the first in order that was not asked and has not proposed', () => {
    expect(missing()).toEqual(['assistant', 'other', 'third']);
    expect(missing(opposed())).toEqual(['assistant', 'third']);
    expect(missing(solicited(), opposed())).toEqual(['third']);
    expect(missing(solicited(), FAILURE)).toEqual(['other', 'third']);
  });

  it('D-43: is everybody again in the next round', () => {
    expect(missing(solicited(), opposed(), escalated)).toEqual(['assistant', 'other', 'third']);
  });
});
