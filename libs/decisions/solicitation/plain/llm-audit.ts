import type { JsonObject } from '#lib/kernel';

/** One HTTP call of a model API, successful or not. Known secrets are redacted. */
export type LlmAuditEntry = {
  /** A fresh UUID. */
  readonly auditEntryId: string;
  /** The start of the call. ISO 8601, UTC. */
  readonly timestamp: string;
  readonly requestUrl: string;
  readonly requestHeaders: { readonly [name: string]: string };
  readonly requestBody: JsonObject;
  /** `null` without a reply. */
  readonly responseStatus: number | null;
  /** The raw text; of an incomplete reply the received part; `null` without a reply; base64 if the bytes are not UTF-8. */
  readonly responseBody: string | null;
  /** Whole milliseconds. */
  readonly durationMs: number;
  /** `null` for a completion, with a tool call or without. */
  readonly error: string | null;
  /** The model named in the reply. */
  readonly resolvedModel?: string;
  readonly sessionId?: string;
  readonly specialistId?: string;
  readonly machineName?: string;
};

/** Receives the calls of the plain functions. An audit that throws or rejects does not affect the call. */
export interface LlmAudit {
  record(entry: LlmAuditEntry): void | Promise<void>;
  readonly sessionId?: string;
  readonly specialistId?: string;
  readonly machineName?: string;
}
