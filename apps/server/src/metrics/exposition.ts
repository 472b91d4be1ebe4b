import type { Registry } from 'prom-client';

/** In the text format of Prometheus: prom-client writes `Nan` where that has `NaN`. */
export async function exposition(registry: Registry): Promise<string> {
  return (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
}
