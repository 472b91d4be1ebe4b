import { it } from '@jest/globals';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { Stage } from './random-families.js';
import { expectAsTheyWere } from './random-plays.js';

describeOnEachEngine('what was made', (emptyPlace) => {
  it('is `at` a position what it was there, with its lists, whatever came since in it or in others: 20 random sessions, runs and conversations', async () => {
    const stage = await Stage.start(await emptyPlace());
    try {
      await expectAsTheyWere(stage, 20);
    } finally {
      await stage.stop();
    }
  }, 300_000);
});
