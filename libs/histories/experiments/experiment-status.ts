import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { experimentDecider, type ExperimentStatus } from './experiment.decider.js';
import type { ExperimentEvent } from './experiment.events.js';

/** The status of an experiment after one of its events. @throws StoreUnavailable */
export async function experimentStatusAt(
  log: EventLog,
  { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>,
): Promise<ExperimentStatus | undefined> {
  const history = await log.load<ExperimentEvent>(stream);
  return history.upTo(revision).state(experimentDecider)?.status;
}
