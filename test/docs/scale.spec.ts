import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { randomOf } from '#lib/workflow/testing';

const page = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8');
const WEEK_SECONDS = 7 * 24 * 3_600;
const DECISIONS_A_WEEK = 100e6;
const PEAK = 3;
const MOST_BUSY = 0.6;

/** The named values of both tables. */
const valueOf = new Map(
  [...page.matchAll(/^\| (?!name)([a-z ]+?) +\| ([\d.]+) +\|/gm)].map(([, name = '', value]) => [
    name,
    Number(value),
  ]),
);
const given = (name: string) => valueOf.get(name) ?? Number.NaN;

/** Seconds that an event of a decision waits for its rows at the 99th percentile: one read loop, arrivals at random moments. */
function waitOfRows(decisionsASecond: number, seconds: number): number {
  const [random, service] = [randomOf(7), given('events') / given('fold')];
  const waits: number[] = [];
  let wait = 0;
  for (let time = 0; time < seconds;) {
    const pause = -Math.log(1 - random()) / decisionsASecond;
    time += pause;
    wait = Math.max(0, wait + service - pause);
    waits.push(wait);
  }
  return waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? 0;
}

describe('docs/scale.md', () => {
  it('computes its second table from the first', () => {
    const decisions = DECISIONS_A_WEEK / WEEK_SECONDS;
    const peak = PEAK * decisions;
    const hours = (rate: number) => (DECISIONS_A_WEEK * given('events')) / rate / 3_600;
    expect({
      decisions: given('decisions'),
      peak: given('peak'),
      cores: given('cores'),
      bytes: given('bytes'),
      forPeak: given('logs for the peak'),
      rebuild: given('rebuild of a week'),
      forRebuild: given('logs for a rebuild'),
      replay: given('replay of a week'),
    }).toEqual({
      decisions: Math.round(decisions),
      peak: Math.round(peak),
      cores: Math.ceil((peak * given('decision')) / 1_000 / MOST_BUSY),
      bytes: (DECISIONS_A_WEEK * (given('log') + given('rows'))) / 1e6,
      forPeak: Math.ceil((peak * given('events')) / given('fold') / MOST_BUSY),
      rebuild: Number(hours(given('fold')).toFixed(1)),
      forRebuild: Math.ceil(hours(given('fold')) / 8),
      replay: Number(hours(given('replay')).toFixed(1)),
    });
  });

  it('has logs enough that rows are behind by less than 0.1 s at the peak, and not when decisions come faster than their rows are made', () => {
    const ofOne = given('peak') / given('logs for the peak');
    expect(waitOfRows(ofOne, 120)).toBeLessThan(0.1);
    const tooMany = (1.1 * given('fold')) / given('events');
    expect(waitOfRows(tooMany, 120)).toBeGreaterThan(10);
  });
});
