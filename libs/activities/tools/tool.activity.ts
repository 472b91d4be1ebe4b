import type { Activity, CallContext, Outcome } from '#lib/workflow';
import {
  excerpt,
  isWorthAnotherAttempt,
  LONGEST_MESSAGE,
  longWaitAskedBy,
  type ToolCallMemory,
  toolCallRules,
  type ToolExecution,
  type ToolRequest,
  type ToolResult,
  wholeToolCall,
  withoutByteOrderMark,
} from '#lib/call-rules';
import { type Json, type JsonObject, jsonText, type Rejection } from '#lib/kernel';
import { configurationRejection } from '../configuration-rejection.js';
import { notRegistered, unregistered, type WorkflowFn } from '../functions/function.activity.js';
import { callFunction } from '../functions/function-calls.js';
import { plainJson } from '../functions/plain-json.js';
import { messageOf } from '../message-of.js';
import type { Redactor } from '../redaction/redactor.js';
import type { WebhookCaller } from '../webhooks/webhook-caller.js';
import type { McpServers } from './mcp-servers.js';

/** The functions, webhooks and MCP servers with which a process executes tools. */
export interface ToolPerformers {
  readonly functions: {
    names(): readonly string[];
    named(fnName: string): WorkflowFn | undefined;
  };
  readonly webhooks: WebhookCaller;
  readonly mcp: McpServers;
  readonly redactor: Redactor;
}

/** Executes tools: functions of this process, webhooks, tools of MCP servers. A call is made at most once. */
export function toolActivity(performers: ToolPerformers): Activity<ToolCallMemory> {
  return {
    ...toolCallRules,
    preflight: (request) => preflight(performers, (request as object as ToolRequest).execution),
    perform: async (request, context, memory) => {
      const outcome = await performed(performers, wholeToolCall(request, memory), context);
      const isSafe = toolCallRules.isSafeToRepeat(request);
      if (!('failed' in outcome) || outcome.failed.failure.kind !== 'interrupted') return outcome;
      return { failed: { ...outcome.failed, failure: { ...outcome.failed.failure, retryable: isSafe } } };
    },
  };
}

function preflight({ functions, mcp }: ToolPerformers, execution: ToolExecution): Rejection | undefined {
  if ('fnName' in execution && !functions.named(execution.fnName))
    return notRegistered('function', execution.fnName, functions.names());
  if ('mcpServer' in execution && !mcp.has(execution.mcpServer)) {
    const why = `no MCP server ${jsonText(execution.mcpServer)} is configured here`;
    return configurationRejection(
      'call of a tool',
      why,
      'Name it in REDIAL_MCP_SERVERS or the option mcpServers',
    );
  }
  return undefined;
}

async function performed(
  performers: ToolPerformers,
  call: ToolRequest,
  context: CallContext,
): Promise<Outcome> {
  const { execution } = call;
  if ('fnName' in execution) return byFunction(performers, call, execution.fnName, context);
  if ('webhookUrl' in execution) return byWebhook(performers, call, execution, context);
  return byMcp(performers, call, execution, context);
}

async function byFunction(
  { functions, redactor }: ToolPerformers,
  { toolId, callId, timeoutMs, arguments: given, conversation }: ToolRequest,
  fnName: string,
  { runId, signal }: CallContext,
): Promise<Outcome> {
  const tool = functions.named(fnName) ?? unregistered(fnName);
  const call = () =>
    tool(structuredClone(given), { toolId, callId, runId, ...structuredClone(conversation) });
  const outcome = await callFunction(call, toolResultOf, redactor, { signal, timeoutMs });
  // A model gets the failure as its result, and asks again if it wants to.
  if ('failure' in outcome) return { failed: { failure: { ...outcome.failure, retryable: false } } };
  return { completed: outcome };
}

/** The token's user is the tool. Any status but a success is the tool's failure. */
async function byWebhook(
  { webhooks, redactor }: ToolPerformers,
  { toolId, callId, timeoutMs, arguments: given, conversation }: ToolRequest,
  { webhookUrl: url, webhookTokenName }: Extract<ToolExecution, { webhookUrl: string }>,
  { runId, signal }: CallContext,
): Promise<Outcome> {
  const body = { toolId, callId, arguments: given, runId, ...conversation } as object as JsonObject;
  const auth = { machineName: toolId, ...(webhookTokenName !== undefined && { webhookTokenName }) };
  const outcome = await webhooks.call({ url, ...auth, body, timeoutMs }, signal);
  if (outcome.kind === 'failed') {
    const { failure, received } = outcome;
    // After a timeout the webhook may have done its work: only a request that did not reach it is made again.
    const retryable = failure.kind === 'network' && failure.retryable;
    return { failed: { failure: { ...failure, retryable }, ...(received && { received }) } };
  }
  const { status, responseHeaders, body: reply, durationMs } = outcome.reply;
  const failed = (kind: string, why: string, retryable: boolean): Outcome => {
    const message = `${why}: ${excerpt(reply.content, LONGEST_MESSAGE)}`;
    const wait = retryable && longWaitAskedBy(responseHeaders, new Date().toISOString());
    return { failed: { failure: { kind, message, retryable, durationMs, ...wait } } };
  };
  if (status < 200 || status > 299)
    return failed('http-error', `The webhook answered ${status}`, isWorthAnotherAttempt(status));
  if (reply.content.trim() === '') return completed(undefined, durationMs, redactor);
  const value = reply.encoding === 'utf8' ? parsed(reply.content) : undefined;
  if (value === undefined)
    return failed('unusable-reply', `The webhook answered ${status} with no JSON`, false);
  return completed(value, durationMs, redactor);
}

async function byMcp(
  { mcp, redactor }: ToolPerformers,
  { timeoutMs, arguments: given }: ToolRequest,
  { mcpServer, tool }: Extract<ToolExecution, { mcpServer: string }>,
  { signal }: CallContext,
): Promise<Outcome> {
  const outcome = await mcp.call({ server: mcpServer, tool, arguments: given, timeoutMs }, signal);
  if ('failure' in outcome) {
    const message = excerpt(redactor.text(outcome.failure.message), LONGEST_MESSAGE);
    return { failed: { failure: { ...outcome.failure, message } } };
  }
  return completed(outcome.data, outcome.durationMs, redactor);
}

/** The outcome of a call for which an answer came from outside. */
function completed(answer: unknown, durationMs: number, redactor: Redactor): Outcome {
  try {
    return { completed: { result: redactor.json(toolResultOf(answer)), durationMs } };
  } catch (error) {
    const failure = { kind: 'unusable-reply', message: messageOf(error), retryable: false, durationMs };
    return { failed: { failure } };
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(withoutByteOrderMark(text)) as Json;
  } catch {
    return undefined;
  }
}

/** The result of a successful call; without an answer (`undefined`) it has no data. @throws NotJson */
export function toolResultOf(answer: unknown): ToolResult {
  const data = answer === undefined ? {} : { data: plainJson(answer) };
  return { success: true, message: 'ok', ...data };
}
