import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { RawReplyServer, setEnvironment } from '#lib/activities/testing';
import { otlpTraces } from '../../apps/server/src/telemetry/otlp-traces.js';

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';

let requests = 0;
let collector: RawReplyServer;
let restore: () => void;
beforeEach(async () => {
  collector = await RawReplyServer.start(() => {
    requests += 1;
    return { parts: [SWITCHING], end: 'open' };
  });
  restore = setEnvironment({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TIMEOUT: '50',
  });
});
afterEach(async () => {
  restore();
  await collector.close();
});

it('0.2-S2: an export of spans ends also if the collector switches protocols, and is tried again', async () => {
  const send = await otlpTraces(process.env);
  const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const span = { ...ids, name: 'chat m', kind: 'client', start: 1_000, end: 1_500, attributes: {} } as const;
  for (const asked of [1, 2]) {
    await expect(send?.([span])).rejects.toThrow(/./);
    expect(requests).toBeGreaterThanOrEqual(asked);
  }
});
