import { openEventLog, EngineSettings } from '#lib/engine';
import type { EventLog } from '#lib/event-store';
import type { Place } from './place.js';

/** The log of a place, beside the engines that run on it or without any. */
export async function openLogOf(place: Place): Promise<EventLog> {
  if (place.storage)
    throw new Error('A log in memory is that of its engine alone: ask for a place that lasts.');
  return openEventLog(new EngineSettings(place));
}
