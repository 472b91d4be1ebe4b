import { RedialError } from '#lib/kernel';

/** A finished span in the terms of OpenTelemetry. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parent?: { readonly spanId: string; readonly isRemote: boolean };
  readonly name: string;
  readonly kind: 'internal' | 'client';
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  /** Why it failed; absent if it did not. */
  readonly error?: string;
}

export type Attributes = { readonly [name: string]: string | number | boolean | readonly string[] };

/** The collector refuses these spans: they are not exported. */
export class SpansRefused extends RedialError {}

/**
 * Exports spans. Resolves once the collector has them, and rejects if it may not have them. Spans that are sent twice have the same ids.
 * @throws SpansRefused
 */
export type ExportSpans = (spans: readonly Span[]) => Promise<void>;
