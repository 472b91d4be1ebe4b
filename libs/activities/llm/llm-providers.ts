import { DEFAULT_PROVIDER } from '#lib/call-rules';
import { ownMember } from '#lib/kernel';
import { chatUrl } from '../http/public-url.js';
import { type LlmConfig, llmSecrets } from './llm-config.js';
import type { ModelCalls } from './model-calls.js';

/** A named API, and the limits of its calls. */
export interface LlmProvider extends LlmConfig {
  /** Milliseconds until a call is given up. */
  readonly timeoutMs?: number;
  /** Milliseconds until the first byte of a reply. Default: `timeoutMs`. */
  readonly firstByteTimeoutMs?: number;
  /** Milliseconds between two parts of a reply. Default: `timeoutMs`. */
  readonly idleTimeoutMs?: number;
  /** The most calls while the provider's failures may be temporary. */
  readonly maxAttempts?: number;
  /** The most calls that this process has open at once. */
  readonly maxConcurrent?: number;
  /** Performs the calls in this process. Default: over HTTP. */
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

  /** All values of the settings that must never be recorded, for calls of any kind. */
  get secrets(): readonly string[] {
    return Object.values(this.byName).flatMap(llmSecrets);
  }

  /** The provider and the URL of a model. A prefix that is not a provider's name belongs to the name of the model. @throws InvalidBaseUrl */
  addressOf(modelName: string): { readonly provider: string; readonly model: string; readonly url: string } {
    const slash = modelName.indexOf('/');
    const prefix = modelName.slice(0, Math.max(slash, 0));
    const isNamed = prefix !== DEFAULT_PROVIDER && this.named(prefix) !== undefined;
    const [provider, model] = isNamed ? [prefix, modelName.slice(slash + 1)] : [DEFAULT_PROVIDER, modelName];
    return { provider, model, url: this.urlOf(provider) };
  }

  /** The URL of a configured provider's chat completions, without its secrets. @throws InvalidBaseUrl */
  urlOf(provider: string): string {
    const url = this.#urls.get(provider) ?? chatUrl(this.named(provider) as LlmProvider);
    this.#urls.set(provider, url);
    return url;
  }
}
