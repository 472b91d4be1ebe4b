import { describe, expect, it } from '@jest/globals';
import { plannerBytes } from './testing/planner-bytes.js';

describe('what a planner run of 30 rounds leaves in the log', () => {
  it.each([0, 2_000])(
    'is linear in rounds, and at most 1.5 times the new content, with arguments of %i characters',
    (chars) => {
      const { recorded, firstHalf, content, naive } = plannerBytes(30, chars);
      expect(recorded / content).toBeLessThan(1.5);
      expect(recorded / firstHalf).toBeLessThan(2.1);
      expect(naive / content).toBeGreaterThan(10);
    },
  );
});
