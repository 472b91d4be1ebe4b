import { type ModelRoute, splitModelId } from '../model-route.js';

/** The route of a test's model: one attempt, without a price. */
export function sampleRoute(modelId = 'gpt-test', over: Partial<ModelRoute> = {}): ModelRoute {
  const { modelId: model, flags } = splitModelId(modelId);
  return {
    modelId,
    model,
    flags,
    provider: 'default',
    url: 'https://llm.test/v1/chat/completions',
    timeoutMs: 30_000,
    maxAttempts: 1,
    ...over,
  };
}
