import { RedialError } from '#lib/kernel';

/** A model id whose flags cannot be read. */
export class InvalidModelId extends RedialError {}

/** A model id taken apart: `name[key=value,key=value]`. */
export interface ModelIdParts {
  readonly modelId: string;
  readonly flags: { readonly [flag: string]: string };
}

/**
 * The model to name in requests, and whether it may be offered tools. Only the flag `tools=no` turns them off;
 * flags that are not known are ignored.
 * @throws InvalidModelId naming the bracket that is malformed.
 */
export function parseModelId(raw: string): { modelId: string; useTools: boolean } {
  const { modelId, flags } = splitModelId(raw);
  return { modelId, useTools: flags['tools'] !== 'no' };
}

/** @throws InvalidModelId */
export function splitModelId(raw: string): ModelIdParts {
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
  const [, key, value] = /^\s*([^=[\]\s]+)\s*=\s*([^=[\]]*?)\s*$/.exec(flag) ?? [];
  if (key === undefined || value === undefined) throw malformed(raw, bracket);
  return [key, value];
}

function malformed(raw: string, bracket: string): InvalidModelId {
  return new InvalidModelId(
    `model id ${JSON.stringify(raw)}`,
    `${JSON.stringify(bracket)} is not of the form name[key=value,key=value]`,
    'Write the flags in one bracket at the end, such as gpt-4o-mini[tools=no]',
  );
}
