import type { JsonObject } from '#lib/kernel';

/** One HTTP call of a model API, successful or not. Known secrets are redacted. */
export type LlmAuditEntry = {
  /** A fresh UUID. */
  readonly auditEntryId: string;
  /** When the call began. ISO 8601, UTC. */
  readonly timestamp: string;
  readonly requestUrl: string;
  readonly requestHeaders: { readonly [name: string]: string };
  readonly requestBody: JsonObject;
  /** `null` when no reply came. */
  readonly responseStatus: number | null;
  /** The raw text, of a reply that is not whole, the first part; `null` when none came; base64 if the bytes are not UTF-8. */
  readonly responseBody: string | null;
  /** Whole milliseconds. */
  readonly durationMs: number;
  /** `null` when a completion came, with a tool call or without. */
  readonly error: string | null;
  /** The model that says it answered. */
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
