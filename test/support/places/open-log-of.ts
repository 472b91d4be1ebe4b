import { openEventLog, EngineSettings } from '#lib/engine';
import type { EventLog } from '#lib/event-store';
import type { Place } from './place.js';

/** The log of a place, beside the engines that run on it or without any. */
export function openLogOf(place: Place): Promise<EventLog> {
  return openEventLog(new EngineSettings(place));
}
