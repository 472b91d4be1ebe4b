import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ProjectionStatus } from '#lib/read-models';
import { RedialServer } from '../support/redial-server.js';
import { openRefund, refunds } from '../support/refunds.js';

describe('a stream that stands still at an event that no fold can take', () => {
  let server: RedialServer;
  let sessionId: string;
  let position: string;

  beforeEach(async () => {
    server = await RedialServer.start({ options: { readWaitMs: 2000 } });
    sessionId = await openRefund(server);
    position = await appendRequestWithoutBody();
    while (!(await statusOf('llm_calls'))?.error) await new Promise((resolve) => setImmediate(resolve));
  });

  afterEach(() => server.stop());

  /** The fold of calls cannot take it. */
  async function appendRequestWithoutBody(): Promise<string> {
    const metadata = {
      occurredAt: new Date().toISOString(),
      correlationId: sessionId,
      causationId: randomUUID(),
      commandId: randomUUID(),
      actor: 'operator',
    };
    const stream = server.log.streams.of('solicitation', randomUUID());
    const event = { type: 'LlmCallRequested', data: {} };
    return (await server.log.append(stream, 'no-stream', [{ eventId: randomUUID(), event, metadata }]))
      .position;
  }

  async function statusOf(name: string): Promise<ProjectionStatus | undefined> {
    const { items } = (await server.get('/v1/projections')).body as { items: ProjectionStatus[] };
    return items.find((item) => item.name === name);
  }

  it('holds up no query that reads other rows', async () => {
    const session = `/v1/sessions/${sessionId}`;
    const others = [session, `${session}/events`, `${session}/proposals`, `${session}/at/0`];
    for (const path of [
      ...others,
      '/v1/sessions',
      '/v1/machines',
      '/v1/machines/refunds',
      '/v1/specialists',
    ]) {
      expect([path, (await server.get(`${path}?minPosition=${position}`)).status]).toEqual([path, 200]);
    }
  });

  it('holds up no call under a key', async () => {
    const key = { 'Idempotency-Key': 'k' };
    const made = await server.post('/v1/machines', { ...refunds, machineName: 'keyed' }, key);
    expect(made.status).toBe(201);
    const reused = await server.post('/v1/machines', { ...refunds, machineName: 'other' }, key);
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
  });

  it('is counted by lists that show streams of its category, and stops nothing that asks about all', async () => {
    const [calls, ofSession, projections, metrics] = await Promise.all(
      ['/v1/llm-calls', `/v1/sessions/${sessionId}/llm-calls`, '/v1/projections', '/metrics'].map((path) =>
        server.get(`${path}?minPosition=${position}`),
      ),
    );
    for (const list of [calls, ofSession])
      expect(list).toMatchObject({ status: 200, body: { standsStill: 1 } });
    expect([projections?.status, metrics?.status]).toEqual([200, 200]);
    expect(await statusOf('llm_calls')).toMatchObject({
      status: 'live',
      error: { type: 'LlmCallRequested' },
    });
  });

  it('lets nothing be called unknown that its rows may lack: 503 in place of 404', async () => {
    const ofCalls = await server.get(`/v1/llm-calls/${randomUUID()}`);
    expect(ofCalls).toMatchObject({ status: 503, body: { code: 'stands-still' } });
    const ofSessions = await server.get(`/v1/sessions/${randomUUID()}`);
    expect(ofSessions).toMatchObject({ status: 404, body: { code: 'unknown-session' } });
  });

  it('leaves the server ready, and degraded', async () => {
    const answer = await server.get('/health/ready');
    expect(answer).toMatchObject({ status: 200, body: { status: 'degraded' } });
    expect(answer.text).not.toContain('solicitation');
  });

  it('is one line in the log of the server, whatever the number of probes', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    for (let probes = 0; probes < 3; probes += 1) await server.get('/health/ready');
    const lines = warn.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes('stands still'));
    warn.mockRestore();
    expect(lines).toEqual([
      expect.stringMatching(/^projections machines, .*llm_calls.*: A stream stands still/),
    ]);
  });
});
