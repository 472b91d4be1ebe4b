import type { Rejection } from '#lib/kernel';
import { type LlmConfig, llmConfigFrom, llmConfigProblem } from '#lib/activities';

/** The process is not configured for calls of models; no request was sent. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'configuration';

  constructor({ message }: Rejection) {
    super(message);
  }
}

/** How long one call of a plain function may take: models that think before they answer take minutes. */
export const CALL_TIMEOUT_MS = 300_000;

/** The configuration that the environment gives now. @throws ConfigurationError when no model can be called with it. */
export function environmentLlm(): LlmConfig {
  const config = llmConfigFrom(process.env);
  const problem = llmConfigProblem(config);
  if (problem) throw new ConfigurationError(problem);
  return config;
}
