import { describe, expect, it } from '@jest/globals';
import { plannerBytes } from './testing/planner-bytes.js';

describe('what a planner run leaves in the log', () => {
  it('is linear in rounds, and at most 1.5 times the new content', () => {
    const [half, whole] = [plannerBytes(10), plannerBytes(20)];
    expect(whole.recorded / whole.content).toBeLessThan(1.5);
    expect(whole.recorded / half.recorded).toBeLessThan(2.1);
    expect(whole.naive / whole.content).toBeGreaterThan(5);
  });
});
