import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RecordedEvent } from '#lib/kernel';
import { isCompletedBy } from './completed-by.js';
import { ASKS_OF_BATCH, experimentDecider, type ExperimentState, openBatchOf } from './experiment.decider.js';
import type { ExperimentEvent } from './experiment.events.js';

const START = {
  experimentId: '00000000-0000-4000-8000-000000000001',
  machineName: 'door',
  baseline: 'recorded',
  concurrency: 1,
  margin: 0.05,
  samples: 1,
  variants: [
    { name: 'a', specialistId: 'a', specialistVersion: 1, specialistMachine: 'door', overrides: {} },
  ],
};
const POINT = {
  sessionId: '00000000-0000-4000-8000-000000000002',
  roundId: '00000000-0000-4000-8000-000000000003',
  revision: 0,
  state: 'open',
  transitionName: 'shut',
  toState: 'shut',
  decidedBy: 'ann',
  isHuman: true,
};
const NOTHING = { calls: 0, inputTokens: 0, outputTokens: 0, costUSD: 0 };

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('end' as const), share: fc.constantFrom(1, 1, 1, 0.5) }),
  },
  fc.record({ does: fc.constantFrom('cancel' as const, 'resume' as const), share: fc.constant(1) }),
);

/** The events of an experiment, each with the state after it. */
class Told {
  readonly events: RecordedEvent<ExperimentEvent>[] = [];
  readonly completed: number[] = [];
  state: ExperimentState;

  add(event: ExperimentEvent): void {
    const before = this.state?.status;
    this.state = experimentDecider.evolve(this.state, event);
    if (this.state?.status === 'completed' && before !== 'completed') this.completed.push(this.events.length);
    this.events.push({ ...event, revision: this.events.length } as RecordedEvent<ExperimentEvent>);
  }

  decide(command: Parameters<typeof experimentDecider.decide>[0]): void {
    const decided = experimentDecider.decide(command, this.state);
    if (Array.isArray(decided)) for (const event of decided as readonly ExperimentEvent[]) this.add(event);
  }

  async *before(revision: number): AsyncGenerator<RecordedEvent> {
    yield* this.events.slice(0, revision).toReversed();
  }
}

function play(points: number, steps: readonly { readonly does: string; readonly share: number }[]): Told {
  const told = new Told();
  const { experimentId } = START;
  const data = { ...START, points: Array.from({ length: points }, () => POINT) };
  told.decide({ type: 'StartExperiment', data });
  let last = told.state?.batches.at(-1);
  for (const { does, share } of steps) {
    if (does === 'cancel') told.decide({ type: 'CancelExperiment', data: { experimentId } });
    if (does === 'resume') told.decide({ type: 'ResumeExperiment', data: { experimentId } });
    last = openBatchOf(told.state) ?? last;
    if (does !== 'end' || !last) continue;
    const answers = Array.from({ length: Math.ceil(last.asks * share) }, () => ({ transitionName: 'shut' }));
    const result = { answers, spent: NOTHING, ...(share < 1 && { stoppedBy: 'calls' as const }) };
    told.decide({ type: 'EndBatch', data: { experimentId, batchId: last.batchId, result } });
  }
  return told;
}

describe('the end of a batch', () => {
  it('completes an experiment exactly if the fold of the whole stream says so', async () => {
    const points = fc.integer({ min: 1, max: 3 * ASKS_OF_BATCH });
    await fc.assert(
      fc.asyncProperty(points, fc.array(step, { maxLength: 8 }), async (count, steps) => {
        const told = play(count, steps);
        const [started] = told.events;
        if (started?.type !== 'ExperimentStarted') throw new Error('It has not started.');
        for (const event of told.events) {
          if (event.type !== 'ExperimentBatchEnded') continue;
          const isCompleted = await isCompletedBy(event.data, started.data, told.before(event.revision));
          expect(isCompleted).toBe(told.completed.includes(event.revision));
        }
      }),
    );
  });
});
