import type { Activity } from '#lib/activity';
import { bodyOf, llmCallRules, type LlmCallRequested, type LlmMemory } from '#lib/calls';
import { type JsonObject, jsonText, type Rejection, sha256 } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';
import { chatCompletionsUrl, publicUrl } from '../http/public-url.js';
import { LlmCalls } from './llm-calls.js';
import type { LlmConfig } from './llm-config.js';
import { llmConfigProblem } from './llm-config-problem.js';

type Request = JsonObject & LlmCallRequested['data'];

/** Calls the models of the OpenAI-compatible API that this process is configured for. */
export function llmActivity(config: LlmConfig, secrets: readonly string[]): Activity<LlmMemory> {
  const calls = new LlmCalls(config, secrets);
  return {
    ...llmCallRules,
    preflight: (request) => modelProblem(config, (request as Request).url),
    perform: async (request, { stepId, signal }, memory) => {
      const { timeoutMs, ...stored } = request as Request;
      const requestBody = wireBody({ ...stored, stepId }, memory);
      return calls.perform({ timeoutMs, requestBody }, signal);
    },
  };
}

/** @throws TypeError where the stream does not give back what was to be sent: nothing is sent then */
function wireBody(request: Pick<Request, 'stepId' | 'body' | 'bodySha256'>, memory: LlmMemory): JsonObject {
  const body = bodyOf(request, memory);
  if (sha256(jsonText(body)) === request.bodySha256) return body;
  throw new TypeError(`The body of ${request.stepId} is not the one that was to be sent.`);
}

/** The address is recorded, and the key is this process's: a key is never sent to another API than its own. */
function modelProblem(config: LlmConfig, url: string): Rejection | undefined {
  const problem = llmConfigProblem(config);
  if (problem) return problem;
  const configured = publicUrl(chatCompletionsUrl(config.baseUrl).href);
  if (configured === url) return undefined;
  return configurationRejection(
    'call of a model',
    `the call is for ${url}, and this process is configured for ${configured}`,
    'Set OPENAI_BASE_URL to that API, or ask again',
  );
}
