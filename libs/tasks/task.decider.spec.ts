import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import { type TaskCommand, taskDecider } from './task.decider.js';
import type { TaskEvent } from './task.events.js';

const { given } = specify(taskDecider);
const at = (minute: number) => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;
const claimed = (by: string, until = at(30), version = 1): TaskEvent => ({
  type: 'TaskClaimed',
  data: { by, until, version },
});
const claim = (by: string, over: object = {}): TaskCommand => ({
  type: 'ClaimTask',
  data: { by, now: at(0), until: at(30), version: 1, ...over },
});
const release = (by: string, over: object = {}): TaskCommand => ({
  type: 'ReleaseTask',
  data: { by, now: at(10), version: 1, isOperator: false, ...over },
});
const refused = (by: string, code: string): TaskEvent => ({ type: 'TaskAttemptRefused', data: { by, code } });
const note = (by: string, code: string): TaskCommand => ({ type: 'NoteAttempt', data: { by, code } });
const assigned = (personId: string | null): TaskEvent => ({
  type: 'TaskAssigned',
  data: { by: 'olga', personId },
});

describe('ClaimTask', () => {
  it('claims until its time, and again by the same person for longer', () => {
    given([])
      .when(claim('ann'))
      .then([claimed('ann')]);
    given([claimed('ann')])
      .when(claim('ann', { now: at(10), until: at(40) }))
      .then([claimed('ann', at(40))]);
  });

  it('is refused while another person has the claim of this wait, and names them', () => {
    given([claimed('ann')])
      .when(claim('bob', { now: at(29) }))
      .thenRejected({ rejected: 'conflict', code: 'claimed' });
  });

  it.each([
    ['its time is over', [claimed('ann')], { now: at(30), until: at(50) }, 1],
    ['the task waits again', [claimed('ann')], { version: 2 }, 2],
    ['it was released', [claimed('ann'), { type: 'TaskReleased', data: { by: 'ann' } }], {}, 1],
    ['that person can no longer answer', [claimed('ann')], { ended: 'ann' }, 1],
    ['the task was assigned to another', [claimed('ann'), assigned('bob')], {}, 1],
  ] as const)('is taken by another person once %s', (_, history, over, version) => {
    const until = 'until' in over ? over.until : at(30);
    given(history)
      .when(claim('bob', over))
      .then([claimed('bob', until, version)]);
  });
});

describe('ReleaseTask', () => {
  it('ends the claim for the person who has it, and for an operator', () => {
    given([claimed('ann')])
      .when(release('ann'))
      .then([{ type: 'TaskReleased', data: { by: 'ann' } }]);
    given([claimed('ann')])
      .when(release('olga', { isOperator: true }))
      .then([{ type: 'TaskReleased', data: { by: 'olga' } }]);
  });

  it('is refused to others, and changes nothing where there is no claim', () => {
    given([claimed('ann')])
      .when(release('bob'))
      .thenRejected({ code: 'claimed' });
    given([]).when(release('bob')).thenNothing();
    given([claimed('ann', at(5))])
      .when(release('bob'))
      .thenNothing();
    given([claimed('ann')])
      .when(release('bob', { ended: 'ann' }))
      .thenNothing();
  });
});

describe('AssignTask', () => {
  it('keeps the claim of the person it names', () => {
    given([claimed('ann'), assigned('ann')])
      .when(claim('bob'))
      .thenRejected({ code: 'claimed' });
  });
});

describe('NoteAttempt', () => {
  it('is recorded once for each person and code', () => {
    given([])
      .when(note('eve', 'excluded'))
      .then([refused('eve', 'excluded')]);
    given([refused('eve', 'excluded')])
      .when(note('eve', 'excluded'))
      .thenNothing();
    given([refused('eve', 'excluded')])
      .when(note('eve', 'expired'))
      .then([refused('eve', 'expired')]);
  });

  it('is recorded for the first hundred of a task', () => {
    const before = Array.from({ length: 100 }, (_, n) => refused(`p-${n}`, 'excluded'));
    given(before.slice(1))
      .when(note('new', 'excluded'))
      .then([refused('new', 'excluded')]);
    given(before).when(note('new', 'excluded')).thenNothing();
    expect(before).toHaveLength(100);
  });
});
