import type { Clock } from '#lib/kernel';
import type { ModelRoute } from '#lib/models';
import { listModelCapabilities, type ReadStore } from '#lib/projections';

/** Older observations are repeated: a provider may support by now what it refused. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1_000;

/** The observations of models by earlier runs, for the start of the runs that ask them. */
export class ModelMemory {
  constructor(
    private readonly store: ReadStore,
    private readonly clock: Clock,
  ) {}

  /** Not waited for: a run that starts before an observation is in its row makes the same one again. */
  async told(routes: readonly ModelRoute[]): Promise<readonly ModelRoute[]> {
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
