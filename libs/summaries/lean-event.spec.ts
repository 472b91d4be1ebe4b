import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { leanEvent } from './lean-event.js';

const bytesOf = (data: object) =>
  Object.entries(data).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(JSON.stringify({ [name]: value })),
    0,
  );

describe('an event whose data has at most so many bytes', () => {
  it('is the event itself where no number of bytes is given, or where its data has no more', () => {
    const event = { type: 'Noted', data: { text: 'x'.repeat(100_000), by: 'ann' } };
    expect(leanEvent(event)).toBe(event);
    expect(leanEvent(event, bytesOf(event.data))).toBe(event);
  });

  it('leaves out its largest members, the largest first, and names them', () => {
    const data = { small: 'a', large: 'x'.repeat(900), larger: 'ü'.repeat(600), nothing: null };
    const without = (most: number) => leanEvent({ data }, most).leftOut;
    expect([without(3_000), without(1_500), without(100), without(0)]).toEqual([
      undefined,
      ['larger'],
      ['larger', 'large'],
      ['larger', 'large', 'nothing', 'small'],
    ]);
    expect(leanEvent({ data }, 100).data).toEqual({ small: 'a', nothing: null });
  });

  it('keeps every other member as it is, and has at most that size, whatever the data', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(200), (data, most) => {
        const event = { type: 'Noted', data };
        const { leftOut = [], data: kept, type } = leanEvent(event, most);
        expect(type).toBe('Noted');
        expect(bytesOf(kept)).toBeLessThanOrEqual(Math.max(most, 0));
        expect([...leftOut, ...Object.keys(kept)].toSorted()).toEqual(Object.keys(data).toSorted());
        for (const [name, value] of Object.entries(kept)) expect(value).toBe(data[name]);
      }),
    );
  });
});
