import { it } from '@jest/globals';
import fc from 'fast-check';
import { arbitraryCase, RuntimeModel } from './testing/runtime-model.js';

it('keeps its guarantees with random delays, losses, outages, kills and repeated starts: 2,000 cases', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryCase, (given) => new RuntimeModel(given).check()),
    { numRuns: 2_000 },
  );
}, 3_000_000);
