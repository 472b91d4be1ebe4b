import type { RunFork } from '#lib/workflow';
import type { ModelParameters } from '../model-parameters.js';
import type { ModelRoute } from './model-route.js';

/** The routes of the models that a script uses: the fact `models` of its run. */
export interface ModelsFact {
  readonly routes: readonly ModelRoute[];
  readonly seed: string;
}

type Routes = readonly ModelRoute[];

/** The models to ask. In a fork with another model, that one replaces the first model; the backups stay. */
export function routesIn(fork: RunFork | undefined, routes: Routes): Routes {
  const { models } = (fork?.overrides ?? {}) as { readonly models?: ModelsFact | null };
  const [other] = models?.routes ?? [];
  const [first, ...backups] = routes;
  if (!other || !first || first.ofFork === other.modelId) return routes;
  return [other, ...backups].map((route) => ({ ...route, ofFork: other.modelId }));
}

export function parametersIn(
  fork: RunFork | undefined,
  parameters: ModelParameters | undefined,
): ModelParameters | undefined {
  return fork?.overrides?.modelParameters ?? parameters;
}
