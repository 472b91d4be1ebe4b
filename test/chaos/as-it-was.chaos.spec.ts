import { it } from '@jest/globals';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { Stage } from '../e2e/random-families.js';
import { expectAsTheyWere } from '../e2e/random-plays.js';

/** Logs of 50 on each pair of stores: 200 over both, 200 on each with `CASES=all`. Several, so that a loaded machine ends each within the time limit. */
const LOGS = process.env['CASES'] === 'all' ? 4 : 2;

describeOnBothEngines('what was made', (emptyPlace) => {
  it.each(Array.from({ length: LOGS }, (_, index) => index + 1))(
    `is \`at\` a position what it was there: 50 random sessions, runs and conversations, log %i of ${LOGS}`,
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
