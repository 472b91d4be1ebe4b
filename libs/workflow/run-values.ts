import type { JsonObject } from '#lib/kernel';

/** A JSON Schema, of the keywords that the checker knows. */
export type JsonSchema = JsonObject;

/** Another stream, up to this revision. */
export type UsedStream = { readonly stream: string; readonly revision: number };

/** Why a run failed. */
export type Failure = { readonly kind: string; readonly message: string };
