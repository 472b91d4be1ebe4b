import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';

/** The request of a call whose input is recorded as it is. */
export function inputOf(input: Json): JsonObject {
  return isJsonObject(input) ? input : {};
}
