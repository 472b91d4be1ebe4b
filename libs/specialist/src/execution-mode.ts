/** How a proposer comes to a choice: exactly one of these members. */
export type ProposerExecution =
  /** a strategy, built in or registered under this name */
  | { readonly strategyFnName: string }
  /** a model that is told what a Mustache template makes of the context */
  | { readonly contextTemplate: string; readonly modelId: string }
  /** a model that is told what a registered function returns */
  | { readonly contextFnName: string; readonly modelId: string };

/** How an arbiter comes to a verdict. */
export type ArbiterMode = { readonly strategyFnName: string };
