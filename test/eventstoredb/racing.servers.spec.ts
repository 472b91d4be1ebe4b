import { it } from '@jest/globals';
import { raceTwoWriters } from './race-two-writers.js';
import { standInSubject } from './stand-in-subject.js';

it('gives each of 200 revisions to one of two writers over EventStoreDB', async () => {
  const { store, second, cleanup } = await standInSubject();
  await raceTwoWriters([store, await second()], 200);
  await cleanup();
});
