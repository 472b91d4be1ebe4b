import { type JsonObject, jsonText } from '#lib/kernel';

/** A member that may be absent, as JSON text or null. */
export function storedJson(value: JsonObject | undefined): string | null {
  return value === undefined ? null : jsonText(value);
}

export function jsonFromStored(stored: string): JsonObject {
  return JSON.parse(stored) as JsonObject;
}
