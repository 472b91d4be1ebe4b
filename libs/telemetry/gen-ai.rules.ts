import {
  completionIn,
  DEFAULT_PROVIDER,
  type LlmCallCompleted,
  type LlmCallRequested,
  readReply,
  type StoredReply,
} from '#lib/call-rules';
import { isJsonObject, type Json } from '#lib/kernel';
import type { Attributes } from './span.js';

/** Names of the GenAI semantic conventions for providers, by the end of the host. */
const PROVIDERS: readonly (readonly [host: string, name: string])[] = [
  ['openai.azure.com', 'azure.ai.openai'],
  ['openai.com', 'openai'],
  ['anthropic.com', 'anthropic'],
  ['amazonaws.com', 'aws.bedrock'],
  ['googleapis.com', 'gcp.gemini'],
  ['deepseek.com', 'deepseek'],
  ['groq.com', 'groq'],
  ['mistral.ai', 'mistral_ai'],
  ['perplexity.ai', 'perplexity'],
  ['x.ai', 'x_ai'],
];

/** Members of the body, and the attributes that say the same. */
const PARAMETERS: readonly (readonly [member: string, attribute: string])[] = [
  ['max_tokens', 'gen_ai.request.max_tokens'],
  ['max_completion_tokens', 'gen_ai.request.max_tokens'],
  ['temperature', 'gen_ai.request.temperature'],
  ['top_p', 'gen_ai.request.top_p'],
  ['seed', 'gen_ai.request.seed'],
  ['frequency_penalty', 'gen_ai.request.frequency_penalty'],
  ['presence_penalty', 'gen_ai.request.presence_penalty'],
  ['stream', 'gen_ai.request.stream'],
];

/** The attributes of a call to a model. Prompts and replies are left out: they may be confidential. */
export function requestAttributes({ url, provider, attempt, body }: LlmCallRequested['data']): Attributes {
  const { stop } = body;
  const parameters = PARAMETERS.flatMap(([member, attribute]) => {
    const value = body[member];
    return typeof value === 'number' || typeof value === 'boolean' ? [[attribute, value] as const] : [];
  });
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerName(url, provider),
    'gen_ai.request.model': modelOf({ body }),
    ...Object.fromEntries(parameters),
    ...(stop !== undefined && { 'gen_ai.request.stop_sequences': texts(stop) }),
    ...serverAttributes(url),
    ...(attempt !== undefined && attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
  };
}

/** The requested model. */
export function modelOf({ body }: Pick<LlmCallRequested['data'], 'body'>): string {
  const { model } = body;
  return typeof model === 'string' ? model : '';
}

/** The attributes of a reply of any status. */
export function replyAttributes(data: LlmCallCompleted['data']): Attributes {
  const { usage } = readReply(data);
  const value = completionIn(data.body) ?? {};
  const choices = Array.isArray(value['choices']) ? value['choices'] : [];
  const reasons = choices.flatMap((choice) => (isJsonObject(choice) ? texts(choice['finish_reason']) : []));
  const counts = {
    'gen_ai.usage.input_tokens': usage?.promptTokens,
    'gen_ai.usage.output_tokens': usage?.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
  };
  return {
    'http.response.status_code': data.status,
    ...(data.firstTokenMs !== undefined && {
      'gen_ai.response.time_to_first_chunk': data.firstTokenMs / 1000,
    }),
    ...(typeof value['id'] === 'string' && { 'gen_ai.response.id': value['id'] }),
    ...(typeof value['model'] === 'string' && { 'gen_ai.response.model': value['model'] }),
    ...(reasons.length > 0 && { 'gen_ai.response.finish_reasons': reasons }),
    ...Object.fromEntries(
      Object.entries(counts).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])),
    ),
  };
}

/** The class of a failed reply: its status, unless that is a success. */
export function replyError({
  status,
  body,
}: StoredReply): { readonly type: string; readonly message: string } | undefined {
  const reply = readReply({ status, body });
  if (reply.kind !== 'failed') return undefined;
  const { kind, message } = reply.failure;
  return { type: kind === 'http-error' ? String(status) : kind, message };
}

/** The attributes of a URL without credentials. */
export function serverAttributes(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return {
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  };
}

/** The name of the convention if the host is known; else the provider's own name. */
function providerName(url: string, provider = DEFAULT_PROVIDER): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const known = PROVIDERS.find(([end]) => host === end || host.endsWith(`.${end}`))?.[1];
  return known ?? (provider === DEFAULT_PROVIDER ? 'openai' : provider);
}

function texts(value: Json | undefined): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
}
