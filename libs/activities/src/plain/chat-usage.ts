import type { Usage } from '#lib/calls';

/** Tokens, named as the API names them. What a reply does not report is absent. */
export interface ChatUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
}

/** As a member of a result: none where the reply reports no usage. */
export function usageMember(usage: Usage | undefined): { usage?: ChatUsage } {
  if (!usage) return {};
  const { promptTokens, completionTokens } = usage;
  return {
    usage: {
      ...(promptTokens !== undefined && { prompt_tokens: promptTokens }),
      ...(completionTokens !== undefined && { completion_tokens: completionTokens }),
    },
  };
}
