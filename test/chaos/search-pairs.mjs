// Generates pairs of schema and value and checks them, in plain Node: in the contexts of Jest every use of a global costs many times
// as much. Answers with the slowest pairs, and how many values fitted.
import * as fc from 'fast-check';
import { hostilePairs } from './hostile-pairs.mjs';

const built = new URL('../../dist/libs/json-schema/index.js', import.meta.url);
/** @type {typeof import('#lib/json-schema')} */
const { checkValue } = await import(built.href);

const TRIES = 5;

/** @typedef {import('./hostile-pairs.mjs').HostilePair & { readonly ms: number, readonly fits: boolean, readonly bytes: number }} Checked */
/** @typedef {{ seeds: number[], batch: number, mostMs: number, chosen: number }} Search */

process.on('message', (/** @type {Search} */ { seeds, batch, mostMs, chosen }) => {
  /** @type {Checked[]} */
  let slowest = [];
  let fitting = 0;
  for (const seed of seeds) {
    const checked = fc.sample(hostilePairs, { numRuns: batch, seed }).map((pair) => timed(pair, mostMs));
    fitting += checked.filter(({ fits }) => fits).length;
    slowest = [...slowest, ...checked].toSorted((one, other) => other.ms - one.ms).slice(0, chosen);
  }
  // Only these are sent: their texts are measured here.
  process.send?.({ fitting, checked: seeds.length * batch, slowest: slowest.map(measured) });
});

/**
 * The fastest of several tries where one takes long: other processes, and the collector of garbage, make the same work take longer.
 * @param {import('./hostile-pairs.mjs').HostilePair} pair
 * @param {number} mostMs
 * @returns {Checked}
 */
function timed({ schema, value }, mostMs) {
  let ms = Infinity;
  let fits = false;
  for (let tries = 0; tries < TRIES && ms > mostMs / 2; tries++) {
    const start = process.cpuUsage();
    fits = checkValue(schema, value).count === 0;
    const { user, system } = process.cpuUsage(start);
    ms = Math.min(ms, (user + system) / 1000);
  }
  return { schema, value, ms, fits, bytes: 0 };
}

/**
 * With the bytes of the arguments' text in a reply.
 * @param {Checked} checked
 * @returns {Checked}
 */
function measured(checked) {
  return { ...checked, bytes: JSON.stringify(JSON.stringify(checked.value)).length };
}
