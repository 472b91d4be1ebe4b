import type { LlmProvider, LlmProviders } from '#lib/activities';
import { type Clock, present, type Rejection } from '#lib/kernel';
import { InvalidModelId, type ModelRoute, splitModelId } from '#lib/call-rules';
import { listModelCapabilities, priceInForce, type PriceTable, type ReadStore } from '#lib/read-models';

/** The limits of calls for a provider without limits of its own. */
export interface ModelLimits {
  readonly timeoutMs: number;
  readonly maxAttempts: number;
}

/** The routes and current prices of models: a fact of the runs that ask them. */
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

  /** `of` for models that were not checked before. */
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
      ...present({ firstByteTimeoutMs, idleTimeoutMs, price }),
    };
  }
}

/** Older observations are made again, because a provider may now support what it refused. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1_000;

/** The observations that earlier runs made of models, for the start of runs that ask them. */
export class ModelMemory {
  constructor(
    private readonly store: ReadStore,
    private readonly clock: Clock,
  ) {}

  /** Does not wait for the rows: a run that starts before an observation is in its row makes the same one again. */
  async withObservations(routes: readonly ModelRoute[]): Promise<readonly ModelRoute[]> {
    const since = new Date(this.clock.now().getTime() - REMEMBERED_MS).toISOString();
    const known = await listModelCapabilities(this.store.db, since);
    return routes.map((route) => {
      const own = known.filter(({ provider, model }) => provider === route.provider && model === route.model);
      if (own.length === 0) return route;
      return {
        ...route,
        known: Object.fromEntries(own.map(({ member, instead }) => [member, instead ?? null])),
      };
    });
  }
}
