import { expect, it } from '@jest/globals';
import { alignment } from '../testing/arbitration-examples.js';
import {
  created,
  executed,
  FAILURE,
  proposed,
  sessionAfter,
  solicited,
} from '../testing/session-examples.js';
import { hearingMoves } from './hearing-moves.js';

const roster = { proposers: ['assistant', 'other', 'third'], alignment: alignment(), quorum: 2 };
const ask = (specialistId: string) => ({ move: 'solicit', specialistId });

it('asks everybody who was not asked, in the order in which they are asked', () => {
  expect(hearingMoves(sessionAfter(created()), roster)).toEqual(['assistant', 'other', 'third'].map(ask));
});

it('brings to its end who is being asked, and leaves alone who failed or has proposed', () => {
  const open = solicited({ solicitationId: 'solicitation-3', specialistId: 'third' });
  const stated = proposed({ proposalId: 'proposal-2', specialistId: 'other' });
  const session = sessionAfter(created(), solicited(), FAILURE, open, stated);
  expect(hearingMoves(session, roster)).toEqual([
    { move: 'finish-solicitation', solicitationId: 'solicitation-3', specialistId: 'third' },
  ]);
});

it('has nothing to do with rounds that are over, nor where the session is at rest', () => {
  const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });
  const next = sessionAfter(created(), solicited(), escalated);
  expect(hearingMoves(next, roster)).toEqual(['assistant', 'other', 'third'].map(ask));
  expect(hearingMoves(sessionAfter(created(), solicited(), executed()), roster)).toEqual([]);
});
