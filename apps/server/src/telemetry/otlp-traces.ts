import type { ExportResult } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { settledBy, withTimeLimit } from '#lib/workflow';
import { InvalidSetting } from '#lib/engine/core';
import { loadPart } from '#lib/kernel';
import { type ExportSpans, type Span, SpansRefused } from '#lib/telemetry';

type Variables = { readonly [name: string]: string | undefined };

/** The protocols of `OTEL_EXPORTER_OTLP_PROTOCOL`, and the packages that speak them. */
const PROTOCOLS: {
  readonly [protocol: string]: () => Promise<{ OTLPTraceExporter: new () => SpanExporter }>;
} = {
  'http/protobuf': () => import('@opentelemetry/exporter-trace-otlp-proto'),
  'http/json': () => import('@opentelemetry/exporter-trace-otlp-http'),
};

/** Statuses of a collector that would refuse the same spans again. */
const FINAL = [400, 413, 422];

/**
 * Exports spans by the standard variables of OpenTelemetry: to `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`. The
 * exporter reads these itself, like headers and time-outs. `undefined` if neither is set, or traces are switched off: then the packages of
 * OpenTelemetry are not loaded.
 * @throws InvalidSetting for an unknown protocol, PackageMissing if the packages are not installed
 */
export async function otlpTraces(variables: Variables): Promise<ExportSpans | undefined> {
  if (!isConfigured(variables)) return undefined;
  const protocol =
    variables['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ||
    variables['OTEL_EXPORTER_OTLP_PROTOCOL'] ||
    'http/protobuf';
  const load = PROTOCOLS[protocol];
  if (!load) {
    const known = Object.keys(PROTOCOLS).join(' or ');
    throw new InvalidSetting(
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'the protocol is not spoken',
      `Set it to ${known}`,
    );
  }
  const { OTLPTraceExporter } = await loadPart('OpenTelemetry', load);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await loadPart(
    'OpenTelemetry',
    () => import('@opentelemetry/resources'),
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'redial' }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporting = boundedExport(() => new OTLPTraceExporter(), limitMs(variables));
  return (spans) => exporting(spans.map((span) => readableSpan(span, resource)));
}

function isConfigured(variables: Variables): boolean {
  const endpoint =
    variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || variables['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const isOff =
    variables['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || variables['OTEL_TRACES_EXPORTER'] === 'none';
  return Boolean(endpoint) && !isOff;
}

/** The time-out of the standard variable, 10 s by default, and a second in which the exporter can report the reason itself. */
function limitMs(variables: Variables): number {
  const given = variables['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'] || variables['OTEL_EXPORTER_OTLP_TIMEOUT'];
  return (Number(given) > 0 ? Number(given) : 10_000) + 1_000;
}

type Export = (spans: ReadableSpan[]) => Promise<void>;

/**
 * The exporter limits only the idle time of its socket: a collector that trickles its answer would hold it for ever. A late exporter is
 * replaced.
 */
function boundedExport(open: () => SpanExporter, timeoutMs: number): Export {
  const { signal } = new AbortController();
  let exporter = open();
  return (spans) =>
    withTimeLimit(signal, timeoutMs, async (limited) => {
      try {
        await settledBy(limited, send(exporter, spans));
      } finally {
        if (limited.aborted) exporter = open();
      }
    });
}

function send(exporter: SpanExporter, spans: ReadableSpan[]): Promise<void> {
  return new Promise((resolve, reject) => {
    exporter.export(spans, ({ code, error }: ExportResult) => {
      if ((code as number) === SUCCESS) resolve();
      else reject(refusal(error) ?? error ?? new Error('the collector did not take the spans'));
    });
  });
}

function refusal(error: Error | undefined): SpansRefused | undefined {
  const status = error && 'code' in error ? Number(error.code) : undefined;
  if (status === undefined || !FINAL.includes(status)) return undefined;
  return new SpansRefused('spans of ended runs', `the collector answered ${status}`, 'Look in its log');
}

/** The member of `ExportResultCode`. */
const SUCCESS = 0;

const KINDS = { internal: 0, client: 2 };
const SAMPLED = 1;
const ERROR = 2;

function readableSpan(
  { traceId, spanId, parent, start, end, error, ...span }: Span,
  resource: Resource,
): ReadableSpan {
  const inTrace = { traceId, traceFlags: SAMPLED };
  return {
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => ({ ...inTrace, spanId }),
    ...(parent && { parentSpanContext: { ...inTrace, ...parent } }),
    startTime: timeOf(start),
    endTime: timeOf(end),
    duration: timeOf(end - start),
    status: error === undefined ? { code: 0 } : { code: ERROR, message: error },
    attributes: Object.fromEntries(
      Object.entries(span.attributes).map(([name, value]) => [
        name,
        typeof value === 'object' ? [...value] : value,
      ]),
    ),
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'redial' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
