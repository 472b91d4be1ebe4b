import type { JsonObject } from '#lib/kernel';
import type { LlmCallCompleted, LlmCallDetails, LlmCallFailed } from '#lib/call-rules';

/** A whole request to a model. */
export type ModelRequest = Pick<
  LlmCallDetails,
  'timeoutMs' | 'firstByteTimeoutMs' | 'idleTimeoutMs' | 'labels'
> & {
  readonly requestBody: JsonObject;
};

/** The recorded outcome of a call. */
export type LlmOutcome =
  | { readonly completed: Omit<LlmCallCompleted['data'], 'stepId'> }
  | { readonly failed: Omit<LlmCallFailed['data'], 'stepId'> };

/** Performs the calls of one provider, over HTTP or in this process. */
export interface ModelCalls {
  /** @param emit shows the text of a streamed reply while it comes */
  perform(request: ModelRequest, signal: AbortSignal, emit?: (text: string) => void): Promise<LlmOutcome>;
}
