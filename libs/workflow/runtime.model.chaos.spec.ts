import { it } from '@jest/globals';
import fc from 'fast-check';
import { arbitraryCase, RuntimeModel } from './testing/runtime-model.js';

it('keeps its guarantees with random delays, losses, outages, kills and repeated starts: 800 cases', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryCase, (given) => new RuntimeModel(given).check()),
    { numRuns: 800 },
  );
}, 1_200_000);
