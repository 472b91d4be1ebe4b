import { it } from '@jest/globals';
import { assertDamageIsFound } from './testing/damage-is-found.js';

it('0.2-X3: random damage of a log file is found, or changes the place of no event and no answer', async () => {
  await assertDamageIsFound(5_000);
}, 600_000);
