import { it } from '@jest/globals';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { Stage } from '../e2e/random-families.js';
import { expectAsTheyWere } from '../e2e/random-plays.js';

/** Of each two logs, so that a loaded machine ends each within the time limit: 200 over both pairs of stores, 200 on each with `CASES=all`. */
const ROOTS = process.env['CASES'] === 'all' ? [100, 100] : [75, 25];

describeOnBothEngines('what was made', (emptyPlace) => {
  it.each(['first', 'second'])(
    'is `at` a position what it was there: random sessions, runs and conversations of the %s of two logs',
    async () => {
      const place = await emptyPlace();
      const [embedded = 0, onServers = 0] = ROOTS;
      const stage = await Stage.start(place);
      try {
        await expectAsTheyWere(stage, place.databaseUrl === undefined ? embedded : onServers);
      } finally {
        await stage.stop();
      }
    },
  );
});
