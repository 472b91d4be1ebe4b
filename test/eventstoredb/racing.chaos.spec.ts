import { it } from '@jest/globals';
import { raceTwoWriters } from './race-two-writers.js';
import { standInSubject } from './stand-in-subject.js';

it('gives each of 1,000 revisions to one of two writers while each 50th call fails', async () => {
  const { store, second, standIn, cleanup } = await standInSubject();
  standIn.misbehaviour.failEvery = 50;
  await raceTwoWriters([store, await second()], 1000);
  await cleanup();
});
