import { describe, expect, it } from '@jest/globals';
import { Gauge, Registry } from 'prom-client';
import { exposition } from './metrics.js';

describe('the text for Prometheus', () => {
  it('has NaN for a gauge without a number, and labels as they are', async () => {
    const registry = new Registry();
    const gauge = new Gauge({ name: 'lag', help: 'A lag', labelNames: ['of'], registers: [registry] });
    gauge.set({ of: 'a' }, Number.NaN);
    gauge.set({ of: 'a Nan' }, 1);
    expect(await exposition(registry)).toBe(
      '# HELP lag A lag\n# TYPE lag gauge\nlag{of="a"} NaN\nlag{of="a Nan"} 1\n',
    );
  });
});
