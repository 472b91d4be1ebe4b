import { isJsonObject } from '#lib/kernel';

/** Tokens that a reply reports. A member is absent where the reply does not report it. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** No call uses more; a larger number is a mistake of the provider. */
const MOST_TOKENS = 1e9;

/** The `usage` of a completion. A member that is no count of tokens is dropped by itself. */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage;
  return {
    ...(isCount(promptTokens) && { promptTokens }),
    ...(isCount(completionTokens) && { completionTokens }),
  };
}

/** The sum of two usages. A member stays absent until one of them has it. */
export function addUsage(total: Usage, usage: Usage = {}): Usage {
  const promptTokens = sum(total.promptTokens, usage.promptTokens);
  const completionTokens = sum(total.completionTokens, usage.completionTokens);
  return {
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}
