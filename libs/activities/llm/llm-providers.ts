import { DEFAULT_PROVIDER } from '#lib/call-rules';
import { ownMember } from '#lib/kernel';
import { chatUrl } from '../http/public-url.js';
import { type LlmConfig, llmSecrets } from './llm-config.js';
import type { ModelCalls } from './model-calls.js';

/** An API by its name, and the limits of its calls. */
export interface LlmProvider extends LlmConfig {
  /** Milliseconds until a call is given up. */
  readonly timeoutMs?: number;
  /** Milliseconds until the first byte of a reply; default: as `timeoutMs`. */
  readonly firstByteTimeoutMs?: number;
  /** Milliseconds between two parts of a reply; default: as `timeoutMs`. */
  readonly idleTimeoutMs?: number;
  /** Calls at most, while the provider fails in a way that may pass. */
  readonly maxAttempts?: number;
  /** Calls that this process has open at once. */
  readonly maxConcurrent?: number;
  /** Performs the calls in this process. Default: they go over HTTP. */
  readonly calls?: ModelCalls;
}

/** The APIs that this process knows, by name. */
export class LlmProviders {
  /** The URLs of chat completions, by provider. */
  readonly #urls = new Map<string, string>();

  constructor(private readonly byName: { readonly [name: string]: LlmProvider }) {}

  get names(): readonly string[] {
    return Object.keys(this.byName);
  }

  named(name: string): LlmProvider | undefined {
    return ownMember(this.byName, name);
  }

  /** Everything in their settings that must never be recorded, wherever a call goes. */
  get secrets(): readonly string[] {
    return Object.values(this.byName).flatMap(llmSecrets);
  }

  /** The provider and the URL of a model. A prefix that names no provider belongs to the name of the model. @throws InvalidBaseUrl */
  addressOf(modelName: string): { readonly provider: string; readonly model: string; readonly url: string } {
    const slash = modelName.indexOf('/');
    const prefix = modelName.slice(0, Math.max(slash, 0));
    const isNamed = prefix !== DEFAULT_PROVIDER && this.named(prefix) !== undefined;
    const [provider, model] = isNamed ? [prefix, modelName.slice(slash + 1)] : [DEFAULT_PROVIDER, modelName];
    return { provider, model, url: this.urlOf(provider) };
  }

  /** The URL of the chat completions of a provider that there is, without its secrets. @throws InvalidBaseUrl */
  urlOf(provider: string): string {
    const url = this.#urls.get(provider) ?? chatUrl(this.named(provider) as LlmProvider);
    this.#urls.set(provider, url);
    return url;
  }
}
