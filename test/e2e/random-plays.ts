import { expect } from '@jest/globals';
import * as fc from 'fast-check';
import { Snapshots } from './as-it-was.js';
import { families, type Stage } from './random-families.js';

interface Play {
  readonly name: keyof typeof families;
  readonly commands: readonly string[];
  readonly luck: readonly number[];
}

const plays: fc.Arbitrary<Play> = fc
  .constantFrom(...(Object.keys(families) as (keyof typeof families)[]))
  .chain((name) =>
    fc.record({
      name: fc.constant(name),
      commands: fc.array(fc.constantFrom(...families[name].names), {
        minLength: 2,
        maxLength: 7,
      }),
      luck: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 5 }),
    }),
  );

/** Plays random roots of all families, and expects each to be `at` a position later what it was there. */
export async function expectAsTheyWere(stage: Stage, numRuns: number): Promise<void> {
  const snapshots = new Snapshots(stage.engine);
  const granted = new Set<string>();
  const property = fc.asyncProperty(plays, async (play) => {
    for (const name of await played(stage, snapshots, play)) granted.add(`${play.name}: ${name}`);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
  expect(snapshots.count).toBeGreaterThan(numRuns * 2);
  expect(granted.size).toBeGreaterThan(Math.min(numRuns / 4, 20));
  await snapshots.check();
}

/** @returns the commands that were not refused */
async function played(stage: Stage, snapshots: Snapshots, play: Play): Promise<readonly string[]> {
  const { redial } = stage.engine;
  stage.luck = play.luck;
  const { root, command } = await families[play.name].begin(redial);
  await snapshots.take(root);
  const granted: string[] = [];
  for (const name of play.commands) {
    const done = command(name)?.then(() => granted.push(name));
    await done?.catch(() => undefined);
    await snapshots.take(root);
  }
  return granted;
}
