import type { PriceInForce } from '#lib/calls';

/** How one model is called: settled when a run starts, so that replay needs no settings of a process. */
export type ModelRoute = {
  /** The id as it was named, flags included. */
  readonly modelId: string;
  /** The name at the provider. */
  readonly model: string;
  readonly flags: { readonly [flag: string]: string };
  readonly provider: string;
  /** Of the chat completions, without credentials. */
  readonly url: string;
  /** Milliseconds until a call is given up. */
  readonly timeoutMs: number;
  /** Milliseconds until the first byte of a reply, and between two of them; absent: no less than `timeoutMs`. */
  readonly firstByteTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Calls at most, while the provider fails in a way that may pass. */
  readonly maxAttempts: number;
  /** Absent where none is known. */
  readonly price?: PriceInForce;
  /** Members of the body that earlier runs saw refused, like `corrected`. */
  readonly known?: { readonly [member: string]: string | null };
  /** One correction was made in this run. */
  readonly refused?: true;
  /** Members of the body that its provider has refused: their other name, or null where they are left out. */
  readonly corrected?: { readonly [member: string]: string | null };
};

/** The flag `tools=no` takes the tools away, and a provider that refused them. */
export function takesTools({ flags, corrected }: Pick<ModelRoute, 'flags' | 'corrected'>): boolean {
  return flags['tools'] !== 'no' && corrected?.['tools'] === undefined;
}
