import { afterEach, beforeEach, describe } from '@jest/globals';
import { type DoorsLoop, doorsLoop } from './read-loop/doors-loop.js';
import { describeFolding } from './read-loop/folding.js';
import { describeFollowing } from './read-loop/following.js';
import { describeRebuilding } from './read-loop/rebuilding.js';
import { describeStandingStill } from './read-loop/standing-still.js';
import type { TestParts } from './test-parts.js';

/** The guarantees of a loop of folds on every read store. @param runs of properties */
export function describeReadLoopContract(name: string, makeParts: () => TestParts, runs: number): void {
  describe(`read loop contract: ${name}`, () => {
    let opened: DoorsLoop;
    beforeEach(async () => {
      opened = await doorsLoop(makeParts, runs);
    });
    afterEach(() => opened.parts.close());

    for (const describePart of [
      describeFolding,
      describeFollowing,
      describeStandingStill,
      describeRebuilding,
    ])
      describePart(() => opened);
  });
}
