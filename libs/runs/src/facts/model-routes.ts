import type { LlmProvider, LlmProviders } from '#lib/activities';
import type { Clock, Rejection } from '#lib/kernel';
import { InvalidModelId, type ModelRoute, splitModelId } from '#lib/models';
import { priceInForce, type PriceTable } from '#lib/projections';

/** Limits of calls where a provider has none of its own. */
export interface ModelLimits {
  readonly timeoutMs: number;
  readonly maxAttempts: number;
}

/** How models are called and what they cost now: a fact of the runs that ask them. */
export class ModelRoutes {
  constructor(
    private readonly providers: LlmProviders,
    private readonly limits: ModelLimits,
    private readonly prices: PriceTable,
    private readonly clock: Clock,
  ) {}

  /** The model, then its backups. @throws InvalidModelId */
  of(modelId: string, backupModels: readonly string[] = []): readonly ModelRoute[] {
    return [modelId, ...backupModels].map((one) => this.#route(one));
  }

  /** Like `of`, for models that were not checked before. */
  known(modelId: string, backupModels?: readonly string[]): readonly ModelRoute[] | Rejection {
    try {
      return this.of(modelId, backupModels);
    } catch (error) {
      if (!(error instanceof InvalidModelId)) throw error;
      return { rejected: 'refused', code: 'invalid-model', message: error.message };
    }
  }

  #route(modelId: string): ModelRoute {
    const { modelId: name, flags } = splitModelId(modelId);
    const { provider, model, url } = this.providers.addressOf(name);
    const limits: ModelLimits & Partial<LlmProvider> = { ...this.limits, ...this.providers.named(provider) };
    const { timeoutMs, maxAttempts, firstByteTimeoutMs, idleTimeoutMs } = limits;
    const now = this.clock.now().toISOString();
    const price = priceInForce(this.prices, { provider, model }, now);
    return {
      modelId,
      model,
      flags,
      provider,
      url,
      timeoutMs,
      maxAttempts,
      ...(firstByteTimeoutMs !== undefined && { firstByteTimeoutMs }),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
      ...(price && { price }),
    };
  }
}
