import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Allowance, AllowanceExceeded } from './allowance.js';

const spent = (work: () => void) => {
  try {
    work();
    return true;
  } catch (error) {
    if (!(error instanceof AllowanceExceeded)) throw error;
    return false;
  }
};

describe('the allowance of a unit of work', () => {
  it('refuses a part that would take more than is left, and all later parts', () => {
    const unit = new Allowance({ steps: 10 });
    unit.spend(9);
    expect(unit.isExceeded).toBe(false);
    expect(() => unit.spend(2)).toThrow(AllowanceExceeded);
    expect(() => unit.spend(0)).toThrow(AllowanceExceeded);
    expect(unit.isExceeded).toBe(true);
  });

  it('counts steps, bytes and members each by itself', () => {
    const unit = new Allowance({ steps: 1, bytes: 2, members: 3 });
    unit.spend(1);
    unit.keep(2);
    unit.take(3);
    expect(unit.isExceeded).toBe(false);
    expect(() => unit.keep(1)).toThrow('more bytes');
    expect(() => unit.take(1)).toThrow('more members');
  });

  it('0.2-S1 gives a part no more than is left, however much the part may take by itself', () => {
    const part = fc.record({ own: fc.nat(100), takes: fc.array(fc.nat(30), { maxLength: 8 }) });
    fc.assert(
      fc.property(fc.nat(200), fc.array(part, { maxLength: 8 }), (steps, parts) => {
        const unit = new Allowance({ steps });
        let total = 0;
        for (const { own, takes } of parts) {
          spent(() =>
            unit.part({ steps: own }, (inner) =>
              takes.forEach((some) => {
                inner.spend(some);
                total += some;
              }),
            ),
          );
        }
        expect(total).toBeLessThanOrEqual(steps);
      }),
    );
  });

  it('a part that is over its own bound leaves the rest to later parts', () => {
    const unit = new Allowance({ steps: 10 });
    expect(spent(() => unit.part({ steps: 4 }, (part) => part.spend(100)))).toBe(false);
    expect(unit.isExceeded).toBe(false);
    expect(spent(() => unit.part({ steps: 100 }, (part) => part.spend(6)))).toBe(true);
    expect(spent(() => unit.part({ steps: 100 }, (part) => part.spend(1)))).toBe(false);
    expect(unit.isExceeded).toBe(true);
  });
});
