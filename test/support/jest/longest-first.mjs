import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer');

/** They take minutes and are small files: jest, which begins with large files on a fresh clone, would run them alone at the end. */
const LONGEST = ['as-it-was.chaos.spec.ts', 'runtime.model.chaos.spec.ts'];

export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<InstanceType<typeof Sequencer>['sort']>[0]} tests
   */
  async sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's own order
    const sorted = await super.sort(tests);
    return sorted.toSorted((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  }
}

/** @param {{ readonly path: string }} test */
function isLongest({ path }) {
  return LONGEST.some((name) => path.endsWith(name));
}
