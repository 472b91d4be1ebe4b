import type { RecordedEvent } from '#lib/kernel';
import { asksOf } from './experiment.decider.js';
import type { ExperimentBatchEnded, ExperimentEvent, ExperimentStarted } from './experiment.events.js';

/**
 * Whether the end of a batch completes its experiment.
 * @param before the events before that end, newest first: they are read back to the request of the batch
 */
export async function isCompletedBy(
  { batchId, answers }: ExperimentBatchEnded['data'],
  started: ExperimentStarted['data'],
  before: AsyncIterable<RecordedEvent>,
): Promise<boolean> {
  for await (const event of before as AsyncIterable<RecordedEvent<ExperimentEvent>>) {
    if (event.type === 'ExperimentCancelled') return false;
    if (event.type === 'ExperimentBatchRequested' && event.data.batchId === batchId)
      return event.data.from + answers.length >= asksOf(started);
  }
  return false;
}
