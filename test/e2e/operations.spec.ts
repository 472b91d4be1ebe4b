import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as incubating from '@opentelemetry/semantic-conventions/incubating';
import { temporaryFolder } from '#lib/kernel/testing';
import { httpError, setEnvironment, text as prose, toolCall } from '#lib/activities/testing';
import { Database } from '#lib/event-store-sqlite';
import { operations } from '#lib/engine';
import { READ_STORE } from '#lib/operations';
import { ProjectionRunner, type ReadStore } from '#lib/read-models';
import { runsToExport, SpansRefused } from '#lib/telemetry';
import { otlpTraces } from '../../apps/server/src/telemetry/otlp-traces.js';
import { dashboardQueries, unknownNames } from '../support/dashboard.js';
import { OtlpReceiver, plainAttributes } from '../support/otlp-receiver.js';
import { lint, type MetricFamily, readPrometheusText } from '../support/prometheus-text.js';
import { RedialServer } from '../support/redial-server.js';
import { openRefund } from '../support/refunds.js';

describe('audit and operations over HTTP', () => {
  let server: RedialServer;
  let dataDir: string;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    const usage = { prompt_tokens: 40, completion_tokens: 5 };
    server = await RedialServer.start({
      place: { dataDir },
      script: [httpError(500, 'down'), toolCall('approve', {}, { usage })],
    });
  });

  afterEach(() => server.stop());

  async function callTwice(): Promise<string> {
    const sessionId = await openRefund(server);
    await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    return sessionId;
  }

  it('shows calls to models with all that went over the wire, in both orders', async () => {
    const sessionId = await callTwice();
    const { items } = (await server.get(`/v1/sessions/${sessionId}/llm-calls`)).body;
    expect(items).toMatchObject([
      { outcome: 'failed', responseStatus: 500, responseBody: 'down', error: expect.any(String) },
      {
        sessionId,
        specialistId: 'clerk',
        machineName: 'refunds',
        rung: 'tools',
        model: 'gpt-4o-mini',
        resolvedModel: 'scripted-model',
        requestUrl: `${server.llm.baseUrl}/chat/completions`,
        requestHeaders: { Authorization: '[REDACTED]' },
        requestBody: server.llm.requests[1]?.body,
        responseStatus: 200,
        error: null,
        outcome: 'toolCall',
        usage: { prompt_tokens: 40, completion_tokens: 5 },
      },
    ]);
    const all = (await server.get('/v1/llm-calls?include=bodies')).body;
    expect(all).toEqual({ items: items.toReversed(), nextCursor: null });
  });

  it('0.2-S3: lists calls of all sessions without bodies unless these are asked for', async () => {
    const sessionId = await callTwice();
    const { items } = (await server.get(`/v1/sessions/${sessionId}/llm-calls`)).body as { items: object[] };
    const listed = (await server.get('/v1/llm-calls')).body as { items: object[] };
    const bodies = { requestUrl: 0, requestHeaders: 0, requestBody: 0, responseBody: 0 };
    const without = items.map((call) =>
      Object.fromEntries(Object.entries(call).filter(([name]) => !(name in bodies))),
    );
    expect(listed.items).toEqual(without.toReversed());
    expect((await server.get('/v1/llm-calls?include=all')).status).toBe(400);
  });

  it('narrows calls to what is asked for', async () => {
    const sessionId = await callTwice();
    const { requestedAt } = (await server.get('/v1/llm-calls?limit=1')).body.items[0];
    const counts: readonly (readonly [query: string, count: number])[] = [
      [`sessionId=${sessionId}&specialistId=clerk&machineName=refunds&model=gpt-4o-mini`, 2],
      ['sessionId=none', 0],
      ['outcome=failed', 1],
      ['outcome=pending', 0],
      [`from=${requestedAt}&outcome=toolCall`, 1],
      [`to=2020-01-01`, 0],
      [`from=2020-01-01T00:00:00%2B01:00`, 2],
    ];
    for (const [query, count] of counts) {
      expect((await server.get(`/v1/llm-calls?${query}`)).body.items).toHaveLength(count);
    }
  });

  it('shows how far each projection has come', async () => {
    await callTwice();
    const head = await server.head();
    const { items } = (await server.get(`/v1/projections?minPosition=${head}`)).body;
    expect(items.length).toBeGreaterThan(3);
    for (const item of items) {
      expect(item).toEqual({
        name: expect.any(String),
        version: expect.any(Number),
        position: head,
        headPosition: head,
        lag: 0,
        status: 'live',
      });
    }
  });

  it('is alive, and ready once the log works and the projections have caught up', async () => {
    expect(await server.get('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    const sessionId = await callTwice();
    const before = await server.head();
    expect(await server.get('/health/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(await server.head()).toBe(before);
    expect((await server.post(`/v1/sessions/${sessionId}/replay`)).body).toMatchObject({ identical: true });
  });

  it('says which parts are not ready: 503', async () => {
    await callTwice();
    await server.log.store.close();
    const answer = await server.get('/health/ready');
    expect(answer).toMatchObject({
      status: 503,
      type: 'application/problem+json',
      body: { code: 'not-ready', parts: [{ part: 'log', why: 'it cannot be used now' }] },
    });
    expect(answer.text).not.toContain(dataDir);
    const refused = await server.post('/v1/sessions', { machineName: 'refunds' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'store-unavailable' } });
  });

  it('does not wait for a log that somebody else has locked: 503, without where it is', async () => {
    await callTwice();
    const other = new Database(join(dataDir, 'log.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const answers = [await server.get('/health/ready'), await server.get('/health/ready')];
    other.exec('ROLLBACK');
    other.close();
    for (const { status, body, text } of answers) {
      expect([status, body.parts]).toEqual([503, [{ part: 'log', why: 'it did not answer within 1000 ms' }]]);
      expect(text).not.toContain(dataDir);
    }
    while ((await server.get('/health/ready')).status !== 200) await setImmediate();
  });

  it('tells a caller nothing of what went wrong inside but where to look: 500', async () => {
    const sessionId = await callTwice();
    server.log.store.readStream = () => Promise.reject(new Error('disk /secret/path is gone'));
    const answer = await server.get(`/v1/sessions/${sessionId}/at/0`);
    expect(answer).toMatchObject({ status: 500, type: 'application/problem+json' });
    expect(answer.body).toMatchObject({
      code: 'internal-error',
      detail: expect.stringMatching(
        /^\[InternalError\] .* Look for [0-9a-f-]{36} in the log of the server\.$/,
      ),
    });
    expect(answer.text).not.toMatch(/secret|at /);
  });

  it('tells Prometheus about requests, by route and never by path, and about projections', async () => {
    const sessionId = await callTwice();
    await server.get('/nowhere');
    const { text, headers } = await server.get('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /redial_http_request_duration_seconds_count\{method="POST",route="\/v1\/sessions\/:sessionId\/proposals",status="502"\} 1/,
    );
    expect(text).toMatch(
      /redial_http_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/,
    );
    expect(text).toMatch(/redial_projection_lag_events\{projection="\w+"\} 0/);
    expect(text).toMatch(/redial_projection_status\{projection="\w+",status="live"\} 1/);
    expect(text).toContain('redial_runs_set_aside 0');
    expect(text).toContain('redial_call_outcomes_discarded_total 0');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain(sessionId);
  });

  it('tells Prometheus what happened in the log: in a text that its checker takes, and alike from every process', async () => {
    const sessionId = await callTwice();
    const path = `/metrics?minPosition=${await server.head()}`;
    const { text } = await server.get(path);
    const families = readPrometheusText(text);
    expect(families.filter(({ name }) => name.startsWith('redial_')).flatMap(lint)).toEqual([]);
    expect(valuesOf(families)).toMatchObject({
      'redial_sessions status=open': 1,
      'redial_runs status=running': 0,
      'redial_runs_ended_total status=failed,workflow=solicitation': 1,
      'redial_runs_ended_total status=completed,workflow=solicitation': 1,
      'redial_oldest_wait_seconds kind=decision': 0,
      'redial_decisions_total how=models': 0,
      'redial_llm_calls_total model=gpt-4o-mini,outcome=completed,provider=default': 1,
      'redial_llm_calls_total model=gpt-4o-mini,outcome=http-5xx,provider=default': 1,
      'redial_llm_retries_total model=gpt-4o-mini,provider=default': 0,
      'redial_llm_tokens_total bucket=input_uncached,model=gpt-4o-mini,provider=default': 40,
      'redial_llm_tokens_total bucket=output,model=gpt-4o-mini,provider=default': 5,
      'redial_llm_call_duration_seconds_count model=gpt-4o-mini,provider=default': 2,
      'redial_budget_refusals_total workflow=solicitation': 0,
    });
    expect(text).not.toContain(sessionId);
    const other = await RedialServer.start({ place: server.place });
    try {
      const ofOther = readPrometheusText((await other.get(path)).text);
      expect(valuesOf(ofOther.filter(isOfLog))).toEqual(valuesOf(families.filter(isOfLog)));
    } finally {
      await other.stop();
    }
  });

  it('has a Grafana dashboard whose queries name series and labels that exist', async () => {
    await callTwice();
    server.llm.enqueue(prose('no choice'), httpError(500));
    const sessionId = await openRefund(server);
    await server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'clerk' });
    const { text } = await server.get(`/metrics?minPosition=${await server.head()}`);
    const queries = dashboardQueries(await readFile('docs/grafana/redial.json', 'utf8'));
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.flatMap((query) => unknownNames(query, readPrometheusText(text)))).toEqual([]);
  });

  it('describes itself as OpenAPI 3.1, every reference resolved, and serves a page that needs nothing from elsewhere', async () => {
    await callTwice();
    const { body, type } = await server.get('/openapi.json');
    expect([type, body.openapi]).toEqual(['application/json', expect.stringMatching(/^3\.1\./)]);
    expect(Object.keys(body.paths).toSorted()).toEqual(CALLS);
    const headers = body.paths['/v1/sessions'].post.parameters.map(({ name }: { name: string }) => name);
    expect(headers).toEqual(['Idempotency-Key', 'Redial-Leave-To-People']);
    expect(body.info.description).toContain('405');
    expect(body.components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
    const references = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    const missing = [...references].filter(([, name = '']) => !Object.hasOwn(body.components.schemas, name));
    expect(missing.map(([, name]) => name)).toEqual([]);
    const page = await server.get('/docs');
    expect(page.text).not.toMatch(/(src|href)=["']https?:/);
    expect(page.text).not.toMatch(/<script>/);
    expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    for (const [, asset = ''] of page.text.matchAll(/(?:src|href)=["']([^"']+)["']/g)) {
      expect((await server.get(new URL(asset, 'http://host/docs').pathname)).status).toBe(200);
    }
  });
});

describe('traces over OTLP', () => {
  const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  let receiver: OtlpReceiver;

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });

  afterEach(() => receiver.close());

  const variables = (more: Record<string, string> = {}) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...more,
  });

  it('exports the spans of ended runs in the trace of the caller, those from while the collector was down too, and again with the same ids after a rebuild', async () => {
    const usage = { prompt_tokens: 40, completion_tokens: 5 };
    const server = await RedialServer.start({
      script: [httpError(500, 'down'), toolCall('approve', {}, { usage })],
      environment: variables({ OTEL_SERVICE_NAME: 'refund-desk' }),
    });
    try {
      const sessionId = await openRefund(server);
      const path = `/v1/sessions/${sessionId}/proposals`;
      receiver.status = 500;
      await server.post(path, { specialistId: 'clerk' }, { traceparent: CALLER });
      await receiver.refused(1);
      await server.post(path, { specialistId: 'clerk' }, { traceparent: 'nonsense' });
      receiver.status = 200;
      const spans = await receiver.spans(4);
      const [failed, failedCall, run, call] = spans.map((span) => ({
        ...span,
        attributes: plainAttributes(span.attributes),
      }));
      expect(failed).toMatchObject({
        name: 'invoke_agent clerk',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        parentSpanId: 'b7ad6b7169203331',
        status: { code: 2 },
        attributes: { 'error.type': 'http-error', 'gen_ai.conversation.id': sessionId },
      });
      expect(failedCall).toMatchObject({
        traceId: failed?.traceId,
        parentSpanId: failed?.spanId,
        status: { code: 2 },
        attributes: { 'error.type': '500', 'http.response.status_code': 500 },
      });
      expect(run).toMatchObject({ name: 'invoke_agent clerk', status: { code: 0 } });
      expect(run?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(run?.parentSpanId ?? '').toBe('');
      expect(call).toMatchObject({
        name: 'chat gpt-4o-mini',
        kind: 3,
        traceId: run?.traceId,
        parentSpanId: run?.spanId,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'gpt-4o-mini',
          'gen_ai.response.model': 'scripted-model',
          'gen_ai.response.id': 'chatcmpl-scripted',
          'gen_ai.response.finish_reasons': ['tool_calls'],
          'gen_ai.usage.input_tokens': 40,
          'gen_ai.usage.output_tokens': 5,
          'server.address': '127.0.0.1',
          'server.port': server.llm.port,
        },
      });
      expect(BigInt(call?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(call?.startTimeUnixNano ?? 0));
      expect(receiver.resource()).toMatchObject({ 'service.name': 'refund-desk' });
      const convention = new Set<unknown>(Object.values(incubating));
      const names = spans.flatMap(({ attributes }) => attributes.map(({ key }) => key));
      expect(names.filter((name) => !name.startsWith('redial.') && !convention.has(name))).toEqual([]);

      const store = server.app.get<ReadStore>(READ_STORE);
      while ((await runsToExport(store, 1)).length > 0) await setImmediate();
      await server.app.get(ProjectionRunner).rebuild('traces');
      const again = (await receiver.spans(8)).slice(4);
      expect(again.map(({ spanId }) => spanId)).toEqual(spans.map(({ spanId }) => spanId));
    } finally {
      await server.stop();
    }
  });

  const span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'chat m',
    kind: 'client',
    start: 1_000,
    end: 1_500,
    attributes: { 'gen_ai.operation.name': 'chat' },
  } as const;

  it('speaks protobuf by default, and says which spans a collector will never take', async () => {
    const restore = setEnvironment(variables({ OTEL_EXPORTER_OTLP_PROTOCOL: '' }));
    try {
      const send = await otlpTraces(process.env);
      await send?.([span]);
      const [request] = receiver.requests;
      expect(request?.type).toBe('application/x-protobuf');
      expect(request?.body.includes('chat m')).toBe(true);
      receiver.status = 400;
      await expect(send?.([span])).rejects.toThrow(SpansRefused);
    } finally {
      restore();
    }
  });

  it('loads nothing unless an endpoint is named, and refuses a protocol that it does not speak', async () => {
    expect(await otlpTraces({})).toBeUndefined();
    expect(await otlpTraces(variables({ OTEL_TRACES_EXPORTER: 'none' }))).toBeUndefined();
    expect(await otlpTraces(variables({ OTEL_SDK_DISABLED: 'true' }))).toBeUndefined();
    const grpc = otlpTraces(variables({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }));
    await expect(grpc).rejects.toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL.*http\/protobuf or http\/json/);
  });
});

/** By name and labels. */
function valuesOf(families: readonly MetricFamily[]): Record<string, number> {
  const samples = families.flatMap((family) => family.samples);
  return Object.fromEntries(
    samples.map(({ name, labels, value }) => {
      const pairs = [...labels].map(([label, text]) => `${label}=${text}`).toSorted();
      return [`${name} ${pairs.join()}`, value];
    }),
  );
}

function isOfLog({ name }: MetricFamily): boolean {
  return /^redial_(sessions|runs$|runs_ended|decisions|llm|budget)/.test(name);
}

const CALLS = [
  '/health/live',
  '/health/ready',
  '/metrics',
  '/v1/conversations/{conversationId}/events/stream',
  '/v1/events/stream',
  '/v1/runs/{runId}/events/stream',
  '/v1/sessions/{sessionId}/events/stream',
  ...new Set(operations.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))),
].toSorted();
