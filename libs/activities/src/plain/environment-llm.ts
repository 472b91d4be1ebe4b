import { type LlmConfig, llmConfigFrom, llmConfigProblem } from '../llm/llm-config.js';
import { ConfigurationError } from './configuration-error.js';

/** How long one call of a plain function may take: models that think before they answer take minutes. */
export const CALL_TIMEOUT_MS = 300_000;

/** The configuration that the environment gives now. @throws ConfigurationError when no model can be called with it. */
export function environmentLlm(): LlmConfig {
  const config = llmConfigFrom(process.env);
  const problem = llmConfigProblem(config);
  if (problem) throw new ConfigurationError(problem);
  return config;
}
