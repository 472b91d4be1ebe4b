import type { PriceInForce } from '../price.js';
import { RedialError } from '#lib/kernel';

/** The route to one model. It is fixed when a run starts, so that replay needs no settings of a process. */
export type ModelRoute = {
  /** The id as it was named, with its flags. */
  readonly modelId: string;
  /** The model's name at the provider. */
  readonly model: string;
  readonly flags: { readonly [flag: string]: string };
  readonly provider: string;
  /** The URL of the chat completions, without credentials. */
  readonly url: string;
  /** Milliseconds until a call is given up. */
  readonly timeoutMs: number;
  /** Milliseconds until the first byte of a reply, and between two of them. If absent, only `timeoutMs` bounds them. */
  readonly firstByteTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** The most calls while the provider's failures may be temporary. */
  readonly maxAttempts: number;
  /** Absent if none is known. */
  readonly price?: PriceInForce;
  /** Members of the body that a provider refused in earlier runs, in the form of `corrected`. */
  readonly known?: { readonly [member: string]: string | null };
  /** A member was corrected in this run. */
  readonly refused?: true;
  /** The id of the model with which the run was forked. This is the route to it, or to a backup of it. */
  readonly ofFork?: string;
  /** Members of the body that the provider has refused: their other name, or null if they are left out. */
  readonly corrected?: { readonly [member: string]: string | null };
};

/** Whether the model is offered tools: not with the flag `tools=no`, and not after its provider refused them. */
export function takesTools({ flags, corrected }: Pick<ModelRoute, 'flags' | 'corrected'>): boolean {
  return flags['tools'] !== 'no' && corrected?.['tools'] === undefined;
}

/** A model id whose flags cannot be read. */
export class InvalidModelId extends RedialError {}

/** The parts of a model id: `name[key=value,key=value]`. */
export interface ModelIdParts {
  readonly modelId: string;
  readonly flags: { readonly [flag: string]: string };
}

/**
 * The model to name in requests, and whether it may be offered tools. Only the flag `tools=no` turns them off; unknown flags are ignored.
 * @throws InvalidModelId naming the bracket that is malformed
 */
export function parseModelId(raw: string): { modelId: string; useTools: boolean } {
  const { modelId, flags } = splitModelId(raw);
  return { modelId, useTools: flags['tools'] !== 'no' };
}

/** Rows of calls are found by this id, and PostgreSQL has no index over longer texts. */
const LONGEST_ID = 512;

/** @throws InvalidModelId */
export function splitModelId(raw: string): ModelIdParts {
  if (raw.length > LONGEST_ID)
    throw new InvalidModelId(
      `model id of ${raw.length} characters`,
      `it has more than ${LONGEST_ID}`,
      'Name a model, such as gpt-4o-mini',
    );
  const [, name = '', bracket] = /^([^[\]]+)(\[.*\])?$/s.exec(raw) ?? [];
  const modelId = name.trim();
  if (modelId === '') throw malformed(raw, raw);
  if (bracket === undefined) return { modelId, flags: {} };
  return {
    modelId,
    flags: Object.fromEntries(
      bracket
        .slice(1, -1)
        .split(',')
        .map((flag) => parseFlag(raw, bracket, flag)),
    ),
  };
}

function parseFlag(raw: string, bracket: string, flag: string): [string, string] {
  const [key = '', value, ...rest] = flag.split('=').map((part) => part.trim());
  if (!/^[^[\]\s]+$/.test(key) || value === undefined || rest.length > 0 || /[[\]]/.test(value))
    throw malformed(raw, bracket);
  return [key, value];
}

function malformed(raw: string, bracket: string): InvalidModelId {
  return new InvalidModelId(
    `model id ${JSON.stringify(raw)}`,
    `${JSON.stringify(bracket)} is not of the form name[key=value,key=value]`,
    'Write the flags in one bracket at the end, such as gpt-4o-mini[tools=no]',
  );
}
