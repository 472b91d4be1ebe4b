import type { Activity } from '#lib/workflow';
import {
  bodyOf,
  DEFAULT_PROVIDER,
  llmCallRules,
  type LlmCallRequested,
  type LlmMemory,
} from '#lib/call-rules';
import { type JsonObject, jsonText, type Rejection, sha256 } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';
import type { Redactor } from '../redaction/redactor.js';
import { LlmCalls } from './llm-calls.js';
import { llmConfigProblem } from './llm-config.js';
import type { LlmProvider, LlmProviders } from './llm-providers.js';
import type { ModelCalls } from './model-calls.js';

type Request = JsonObject & LlmCallRequested['data'];

/** The most open calls of a provider whose settings do not name a limit. */
const MOST_CONCURRENT = 64;

/** Calls the models of the OpenAI-compatible APIs that this process is configured for. */
export function llmActivity(providers: LlmProviders, redactor: Redactor): Activity<LlmMemory> {
  const calls = new Map<string, ModelCalls>();
  const problems = new Map<string, Rejection | undefined>();
  for (const name of providers.names) {
    const provider = providers.named(name) as LlmProvider;
    calls.set(name, provider.calls ?? new LlmCalls(provider, redactor));
    problems.set(name, llmConfigProblem(provider));
  }
  return {
    ...llmCallRules,
    pool: (request) => {
      const name = providerOf(request);
      return { name: `llm ${name}`, limit: providers.named(name)?.maxConcurrent ?? MOST_CONCURRENT };
    },
    preflight: (request) => {
      const name = providerOf(request);
      const problem = problems.get(name);
      if (problem) return prefixProblem(name, request) ?? problem;
      return addressProblem(providers, name, request as Request);
    },
    perform: async (request, { stepId, signal, emit }, memory) => {
      const { timeoutMs, firstByteTimeoutMs, idleTimeoutMs, labels, ...stored } = request as Request;
      const requestBody = wireBody({ ...stored, stepId }, memory);
      const provider = calls.get(providerOf(request)) as ModelCalls;
      const details = { timeoutMs, firstByteTimeoutMs, idleTimeoutMs, labels };
      return provider.perform({ ...details, requestBody }, signal, emit);
    },
  };
}

function providerOf(request: JsonObject): string {
  return (request as Request).provider ?? DEFAULT_PROVIDER;
}

/** @throws TypeError if the stream does not give the body that was requested: then it is not sent */
function wireBody(request: Pick<Request, 'stepId' | 'body' | 'bodySha256'>, memory: LlmMemory): JsonObject {
  const body = bodyOf(request, memory);
  if (sha256(jsonText(body)) === request.bodySha256) return body;
  throw new TypeError(`The body of ${request.stepId} is not the one that was to be sent.`);
}

/** The refusal of a model whose prefix names no configured provider, if the default provider cannot be asked. A check before the call has no body. */
function prefixProblem(name: string, { body }: Partial<Request>): Rejection | undefined {
  const model = body?.['model'];
  if (name !== DEFAULT_PROVIDER || typeof model !== 'string' || !model.includes('/')) return undefined;
  const [prefix = ''] = model.split('/');
  const why = `no provider ${prefix} is configured, so it is for the default provider, which has no valid settings`;
  const fix = `Configure the provider ${prefix}, or set OPENAI_API_KEY and OPENAI_BASE_URL of the default one`;
  return configurationRejection('call of a model', why, fix);
}

/** The address is recorded, and the key is this process's: a key is never sent to another API than its own. */
function addressProblem(providers: LlmProviders, name: string, request: Request): Rejection | undefined {
  if (!providers.named(name))
    return wrongAddress(`the call is for the provider ${name}, which this process does not have`);
  const configured = providers.urlOf(name);
  if (configured === request.url) return undefined;
  return wrongAddress(`the call is for ${request.url}, and this process is configured for ${configured}`);
}

function wrongAddress(why: string): Rejection {
  const fix = 'Set OPENAI_BASE_URL, or the providers, to that API, or ask again';
  return configurationRejection('call of a model', why, fix);
}
