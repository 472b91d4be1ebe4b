import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer');

/** Takes minutes and is a small file: jest, which begins with large files on a fresh clone, would run it alone at the end. */
const LONGEST = 'runtime.model.chaos.spec.ts';

export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<InstanceType<typeof Sequencer>['sort']>[0]} tests
   */
  async sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's own order
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => Number(b.path.endsWith(LONGEST)) - Number(a.path.endsWith(LONGEST)));
  }
}
