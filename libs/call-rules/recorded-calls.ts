import { ActivityRegistry } from '#lib/workflow';
import {
  type BudgetChecked,
  type BudgetCheckFailed,
  type BudgetCheckRequested,
  budgetCheckRules,
} from './budget-check.rules.js';
import {
  type FunctionCallCompleted,
  type FunctionCallFailed,
  type FunctionCallRequested,
  functionCallRules,
} from './function-call.rules.js';
import type { LlmCallEvent } from './llm/llm-call.events.js';
import { llmCallRules } from './llm/llm-call.rules.js';
import { type SandboxCompleted, type SandboxFailed, type SandboxRequested } from './sandbox-call.events.js';
import { sandboxRules } from './sandbox-call.rules.js';
import {
  type ToolCallCompleted,
  type ToolCallFailed,
  type ToolCallRejected,
  type ToolCallRequested,
  toolCallRules,
} from './tool-call.rules.js';
import {
  type WebhookCallCompleted,
  type WebhookCallFailed,
  type WebhookCallRequested,
  webhookCallRules,
} from './webhook-call.rules.js';

/** The events of every call that a log holds; `type` tells them apart. */
export type ActivityCallEvent =
  | FunctionCallRequested
  | FunctionCallCompleted
  | FunctionCallFailed
  | WebhookCallRequested
  | WebhookCallCompleted
  | WebhookCallFailed
  | LlmCallEvent
  | ToolCallRequested
  | ToolCallCompleted
  | ToolCallFailed
  | ToolCallRejected
  | BudgetCheckRequested
  | BudgetChecked
  | BudgetCheckFailed
  | SandboxRequested
  | SandboxCompleted
  | SandboxFailed;

/** The rules of every call that a log holds. They are enough to fold and to replay a run in a process that cannot make calls. */
export const recordedCalls = new ActivityRegistry([
  functionCallRules,
  webhookCallRules,
  llmCallRules,
  toolCallRules,
  budgetCheckRules,
  sandboxRules,
]);
