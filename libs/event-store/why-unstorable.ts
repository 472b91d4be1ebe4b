import {
  type Event,
  type EventMetadata,
  isDeeperThan,
  MOST_ANSWER_LEVELS,
  unstorableValue,
} from '#lib/kernel';

/** Every value from outside has fewer levels. SQLite treats data of more than 1,000 as damaged. */
const MOST_DATA_LEVELS = MOST_ANSWER_LEVELS + 50;

/**
 * The reason why an event cannot be stored, such as NaN in its data, which would be read as null, or a missing cause, which would be read as the id
 * of the stream.
 */
export function whyUnstorable(
  { data }: Event,
  { commandId, causationId }: Pick<EventMetadata, 'commandId' | 'causationId'>,
): string | undefined {
  const pointer = unstorableValue(data);
  if (pointer !== undefined) return `the value at /data${pointer} has no JSON text`;
  if (isDeeperThan(data, MOST_DATA_LEVELS))
    return `its data is nested more than ${MOST_DATA_LEVELS} levels deep`;
  const hasCause = commandId !== undefined || causationId !== undefined;
  return hasCause ? undefined : 'it has neither a command nor a cause';
}
