import { it } from '@jest/globals';
import fc from 'fast-check';
import { arbitraryCase, RuntimeModel } from './testing/runtime-model.js';

it('0.2-X1 keeps its guarantees with random delays, losses, outages, kills and repeated starts: 8 cases', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryCase, (given) => new RuntimeModel(given).check()),
    { numRuns: 8 },
  );
}, 60_000);
