import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';

/** The request of a call whose input is recorded unchanged. */
export function inputOf(input: Json): JsonObject {
  return isJsonObject(input) ? input : {};
}
