import { describeEngineRaces } from './race-two-engines.js';

/** Rounds by index lag. `npm run test:races` runs many more, which takes about seven minutes. */
const ROUNDS =
  process.env['RACES'] === 'all'
    ? { 0: 50, 5: 500, 30: 500, 100: 50, 1000: 50 }
    : { 0: 20, 5: 20, 30: 20, 1000: 1 };

for (const [lagMs, rounds] of Object.entries(ROUNDS)) describeEngineRaces(Number(lagMs), rounds);
