import type { JsonObject } from '#lib/kernel';

/** One HTTP call of a model API, whether it succeeded or not. Known secrets are out of all of it. */
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
  /** The raw text, of a reply that is not whole, the first part; `null` when none came; base64 where the bytes are not UTF-8. */
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

/** Where the plain functions report their calls. An audit that throws or rejects changes nothing for the call. */
export interface LlmAudit {
  record(entry: LlmAuditEntry): void | Promise<void>;
  readonly sessionId?: string;
  readonly specialistId?: string;
  readonly machineName?: string;
}
