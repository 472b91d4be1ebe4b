import { it } from '@jest/globals';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { Stage } from '../e2e/random-families.js';
import { expectAsTheyWere } from '../e2e/random-plays.js';

describeOnBothEngines('what was made', (emptyPlace) => {
  // Four logs, so that a loaded machine ends each within the time limit.
  it.each([1, 2, 3, 4])(
    'is `at` a position what it was there: 50 random sessions, runs and conversations, log %i of 4',
    async () => {
      const stage = await Stage.start(await emptyPlace());
      try {
        await expectAsTheyWere(stage, 50);
      } finally {
        await stage.stop();
      }
    },
  );
});
