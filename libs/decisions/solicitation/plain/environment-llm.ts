import type { Rejection } from '#lib/kernel';
import { type LlmConfig, llmConfigFrom, llmConfigProblem } from '#lib/activities';

/** The process is not configured for model calls; no request was sent. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'configuration';

  constructor({ message }: Rejection) {
    super(message);
  }
}

/** The time limit of one call of a plain function: models that think before they answer take minutes. */
export const CALL_TIMEOUT_MS = 300_000;

/** The present configuration of the environment. @throws ConfigurationError if no model can be called with it. */
export function environmentLlm(): LlmConfig {
  const config = llmConfigFrom(process.env);
  const problem = llmConfigProblem(config);
  if (problem) throw new ConfigurationError(problem);
  return config;
}
