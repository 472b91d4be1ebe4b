/** The span of a caller, in the form of W3C Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records its trace. */
  readonly sampled: boolean;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/;

/** `undefined` for a text that is not a `traceparent`: the standard says to ignore it. */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text ?? '') ?? [];
  if (version === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, sampled: parseInt(flags, 16) % 2 === 1 };
}
