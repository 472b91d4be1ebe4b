import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RevisionConflict } from '../../errors.js';
import type { EventStore, EventToStore, ExpectedRevision } from '../../event-store.js';
import { wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

interface Step {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** Small numbers as event ids, so that repeats are likely. */
  readonly ids: readonly number[];
}

const steps = fc.array(
  fc.record({
    stream: fc.constantFrom('a', 'b'),
    expected: fc.oneof(
      fc.constantFrom<ExpectedRevision>('no-stream', 'stream-exists', 'any'),
      fc.nat({ max: 5 }),
    ),
    ids: fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 30 },
);

/** Runs of one test share a log, so each run has streams of its own. */
export function describeModel(subject: CurrentSubject): void {
  it('answers any script of appends as a list in memory would', async () => {
    const { store } = subject();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        run += 1;
        const before = (await wholeLog(store)).length;
        const model = new Map<string, number[]>();
        const kept: [string, number][] = [];
        for (const step of script)
          await playStep(store, { ...step, stream: `${run}-${step.stream}` }, model, kept);
        const log = (await wholeLog(store)).slice(before);
        expect(log.map((event) => [event.stream, Number(event.type)])).toEqual(kept);
      }),
      { numRuns: 30 },
    );
  });
}

async function playStep(
  store: EventStore,
  { stream, expected, ids }: Step,
  model: Map<string, number[]>,
  kept: [string, number][],
): Promise<void> {
  const held = model.get(stream) ?? [];
  const last = lastRevisionInModel(held, expected, ids);
  const outcome = await store.append(stream, expected, ids.map(eventOf)).then(
    (appended) => appended.revision,
    (error: unknown) => (error instanceof RevisionConflict ? undefined : error),
  );
  expect(outcome).toBe(last);
  if (last === undefined || last < held.length) return;
  model.set(stream, [...held, ...ids]);
  kept.push(...ids.map((id): [string, number] => [stream, id]));
}

/** The rule again, by trying every place at which the ids could be; `undefined` is a conflict. */
function lastRevisionInModel(held: number[], expected: ExpectedRevision, ids: readonly number[]) {
  const standAt = (start: number) => ids.every((id, index) => held[start + index] === id);
  if (expected === 'stream-exists' && held.length === 0) return undefined;
  const known = held.lastIndexOf(ids[0] ?? -1);
  const byId = known === -1 ? held.length : known;
  const start = expected === 'no-stream' ? 0 : typeof expected === 'number' ? expected + 1 : byId;
  if (start === held.length || standAt(start)) return start + ids.length - 1;
  return undefined;
}

function eventOf(id: number): EventToStore {
  return {
    eventId: `00000000-0000-4000-8000-${id.toString().padStart(12, '0')}`,
    type: String(id),
    data: '{}',
    metadata: '{}',
  };
}
