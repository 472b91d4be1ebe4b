import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

describe('the runner of spec files', () => {
  it('ends a property while its test still has a quarter of its time, as a failure', () => {
    const limit = { interruptAfterTimeLimit: 3_000, markInterruptAsFailure: true };
    expect(fc.readConfigureGlobal()).toMatchObject(limit);
  }, 4_000);

  it('holds the tests of no file but this one', () => {
    const symbols = Object.getOwnPropertySymbols(globalThis).map(({ description }) => description);
    expect(symbols.filter((description) => description === 'JEST_STATE_SYMBOL')).toHaveLength(1);
  });
});
