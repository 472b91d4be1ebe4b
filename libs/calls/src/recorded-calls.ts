import { ActivityRegistry } from '#lib/activity';
import { budgetCheckRules } from './budget-check.rules.js';
import { functionCallRules } from './function-call.rules.js';
import { llmCallRules } from './llm/llm-call.rules.js';
import { sandboxRules } from './sandbox-call.rules.js';
import { toolCallRules } from './tool-call.rules.js';
import { webhookCallRules } from './webhook-call.rules.js';

/** The rules of every call that a log holds: enough to fold and to replay a run, in a process that can make no call. */
export const recordedCalls = new ActivityRegistry([
  functionCallRules,
  webhookCallRules,
  llmCallRules,
  toolCallRules,
  budgetCheckRules,
  sandboxRules,
]);
