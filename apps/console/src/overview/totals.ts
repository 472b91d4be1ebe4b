import type { ModelSummary } from '#lib/client';
import { dollars } from '../parts/format.js';

/** The sums over all models. */
export interface Subtotal {
  readonly calls: number;
  readonly failedCalls: number;
  readonly unpriced: number;
  readonly cost: string;
  readonly meanMs?: number;
}

export function subtotals(models: readonly ModelSummary[]): Subtotal {
  const sum = (value: (model: ModelSummary) => number) =>
    models.reduce((total, model) => total + value(model), 0);
  const timed = models.filter(({ meanDurationMs }) => meanDurationMs !== null);
  const timedCalls = timed.reduce((total, { calls }) => total + calls, 0);
  const time = timed.reduce((total, { calls, meanDurationMs }) => total + calls * (meanDurationMs ?? 0), 0);
  return {
    calls: sum(({ calls }) => calls),
    failedCalls: sum(({ failedCalls }) => failedCalls),
    unpriced: sum(({ unpricedCalls }) => unpricedCalls),
    cost: costText(models.flatMap(({ costs }) => costs)),
    ...(timedCalls > 0 && { meanMs: time / timedCalls }),
  };
}

/** The cost in each currency. */
export function costText(costs: ModelSummary['costs']): string {
  const totals = new Map<string, number>();
  for (const { currency, amount } of costs) totals.set(currency, (totals.get(currency) ?? 0) + amount);
  if (totals.size === 0) return '–';
  return [...totals]
    .map(([currency, amount]) => (currency === 'USD' ? dollars(amount) : `${amount.toFixed(2)} ${currency}`))
    .join(', ');
}
