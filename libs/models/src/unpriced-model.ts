import { reject, type Rejection } from '#lib/kernel';
import type { ModelRoute } from './model-route.js';

/** The refusal of a budget in US dollars where no price of one of the models is in force. */
export function unpricedModel(
  routes: readonly ModelRoute[],
  budget: { readonly maxUSD?: number } = {},
): Rejection | undefined {
  const unknown = routes.find(({ price }) => price === undefined);
  if (budget.maxUSD === undefined || !unknown) return undefined;
  return reject('refused', 'budget', {
    errorClass: 'UnknownPrice',
    what: `the budget in US dollars for ${unknown.modelId}`,
    why: 'no price of this model is in force',
    fix: 'Add its price, or set a budget in tokens',
  });
}
