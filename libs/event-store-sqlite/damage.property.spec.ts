import { it } from '@jest/globals';
import { assertDamageIsFound } from './testing/damage-is-found.js';

it('0.2-X3: random damage of a log file is found, or leaves each stream its events in their order, and the same events in every reading', async () => {
  await assertDamageIsFound(100);
}, 60_000);
