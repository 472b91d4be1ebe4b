import type { JsonObject } from '#lib/kernel';

/** A JSON Schema that uses only the keywords that the checker knows. */
export type JsonSchema = JsonObject;

/** A stream, up to this revision. */
export type UsedStream = { readonly stream: string; readonly revision: number };

/** The failure of a run. */
export type Failure = { readonly kind: string; readonly message: string };
