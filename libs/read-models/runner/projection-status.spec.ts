import { expect, it } from '@jest/globals';
import { formatPosition } from '#lib/event-store';
import { projectionStatus } from './projection-status.js';

const at = (place: number) => formatPosition('log', place);
const checkpoint = (position: string) => ({ name: 'notes', version: 1, position });
const lagOf = (position: string, head: string | undefined, positionsAreGapFree?: boolean) => {
  const log = { logId: 'log', ...(positionsAreGapFree !== undefined && { positionsAreGapFree }) };
  return projectionStatus(checkpoint(position), log, head, undefined).lag;
};

it('counts the events it is behind when positions count them', () => {
  expect([lagOf('', at(7), true), lagOf(at(3), at(7), true), lagOf(at(8), at(7), true)]).toEqual([7, 4, 0]);
});

it('does not guess how many events lie between positions with gaps', () => {
  expect([lagOf('', at(7000)), lagOf(at(3000), at(7000)), lagOf(at(3000), at(7000), false)]).toEqual([
    null,
    null,
    null,
  ]);
});

it('knows on every log that it is not behind at the head', () => {
  expect([lagOf(at(7000), at(7000)), lagOf('', undefined)]).toEqual([0, 0]);
});

it('knows of no lag behind another log', () => {
  expect(lagOf('other.00000000000000000001', at(7), true)).toBeNull();
});
