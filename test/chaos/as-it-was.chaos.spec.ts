import { it } from '@jest/globals';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { Stage } from '../e2e/random-families.js';
import { expectAsTheyWere } from '../e2e/random-plays.js';

describeOnBothEngines('what was made', (emptyPlace) => {
  it('is `at` a position what it was there: 200 random sessions, runs and conversations', async () => {
    const stage = await Stage.start(await emptyPlace());
    try {
      await expectAsTheyWere(stage, 200);
    } finally {
      await stage.stop();
    }
  });
});
