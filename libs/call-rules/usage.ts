import type { DeclaredMembers } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, present } from '#lib/kernel';

/** The tokens that a reply reports. A member is absent if the reply does not report it. A type, not an interface, because it is part of an event. */
export type Usage = {
  /** All tokens of the prompt, with those of caches. */
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Prompt tokens that were read from a cache. */
  readonly cachedTokens?: number;
  /** Prompt tokens that were written to a cache. */
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
};

export const usageMembers = {
  promptTokens: 'structure',
  completionTokens: 'structure',
  cachedTokens: 'structure',
  cacheWriteTokens: 'structure',
  reasoningTokens: 'structure',
} as const satisfies DeclaredMembers<Usage>;

/** No call uses more. A larger number is a mistake of the provider. */
const MOST_TOKENS = 1e9;

const COUNTS = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;

/**
 * The `usage` of a completion, with the members of OpenAI, of DeepSeek, or of Anthropic, whose `input_tokens` leave out those of caches. Only a
 * member that is not a count of tokens is dropped.
 */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { prompt_tokens_details: input, completion_tokens_details: output } = usage;
  const cachedTokens =
    countIn(input, 'cached_tokens') ?? countIn(usage, 'cache_read_input_tokens', 'prompt_cache_hit_tokens');
  const cacheWriteTokens =
    countIn(input, 'cache_write_tokens') ?? countIn(usage, 'cache_creation_input_tokens');
  return present({
    promptTokens: countIn(usage, 'prompt_tokens') ?? promptOfParts(usage),
    completionTokens: countIn(usage, 'completion_tokens', 'output_tokens'),
    cachedTokens,
    cacheWriteTokens,
    reasoningTokens: countIn(output, 'reasoning_tokens'),
  });
}

/** The sum of two usages. A member is absent until one of them has it. */
export function addUsage(total: Usage, usage: Usage = {}): Usage {
  return present(
    Object.fromEntries(
      COUNTS.map((name) => [
        name,
        total[name] === undefined ? usage[name] : total[name] + (usage[name] ?? 0),
      ]),
    ),
  );
}

/** Tokens with the names of OpenAI's API. An unknown member is absent. */
export interface ApiUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
}

/** The usage of a call in the names of the API. */
export function apiUsage({ promptTokens, completionTokens }: Usage): ApiUsage {
  return present({ prompt_tokens: promptTokens, completion_tokens: completionTokens });
}

function promptOfParts(usage: JsonObject): number | undefined {
  const rest = countIn(usage, 'input_tokens', 'prompt_cache_miss_tokens');
  if (rest === undefined) return undefined;
  const cached = countIn(usage, 'cache_read_input_tokens', 'prompt_cache_hit_tokens') ?? 0;
  return rest + cached + (countIn(usage, 'cache_creation_input_tokens') ?? 0);
}

/** The first of these members that is a count. */
function countIn(group: Json | undefined, ...names: readonly string[]): number | undefined {
  const members = isJsonObject(group) ? names.map((name) => group[name]) : [];
  return members.find(isCount);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
}
