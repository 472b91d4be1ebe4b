import type { JsonObject } from '#lib/kernel';

/** What a proposer, or a caller for it, says about a choice besides the transition. */
export type CallerGiven = {
  readonly reasoning?: string;
  /** A tool call's arguments land here; absent rather than `{}`. */
  readonly metaJson?: JsonObject;
  readonly costUSD?: number;
  readonly latencyMsec?: number;
  readonly numInputTokens?: number;
  readonly numOutputTokens?: number;
};

/** A transition chosen, and what was said with it. */
export type Choice = CallerGiven & {
  readonly transitionName: string;
  readonly toState: string;
  readonly reasoning: string;
};

/** The choice with everything the caller gave in its place: 0 and "" count as given. */
export function mergeGiven(choice: Choice, given: CallerGiven): Choice {
  const { transitionName, toState, ...said } = choice;
  return { transitionName, toState, ...compact(said, given) };
}

function compact(said: CallerGiven & { readonly reasoning: string }, given: CallerGiven) {
  const metaJson = given.metaJson ?? said.metaJson;
  const costUSD = given.costUSD ?? said.costUSD;
  const latencyMsec = given.latencyMsec ?? said.latencyMsec;
  const numInputTokens = given.numInputTokens ?? said.numInputTokens;
  const numOutputTokens = given.numOutputTokens ?? said.numOutputTokens;
  return {
    reasoning: given.reasoning ?? said.reasoning,
    ...(metaJson !== undefined && { metaJson }),
    ...(costUSD !== undefined && { costUSD }),
    ...(latencyMsec !== undefined && { latencyMsec }),
    ...(numInputTokens !== undefined && { numInputTokens }),
    ...(numOutputTokens !== undefined && { numOutputTokens }),
  };
}
