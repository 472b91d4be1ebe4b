import { isJsonObject, type Json, type JsonObject } from '#lib/kernel';
import { excerpt } from './excerpt.js';
import { completionIn, isOverAllowance, UNFINISHED } from './llm/completion.rules.js';
import type { StoredReply } from './read-webhook-text.js';
import { readUsage, type Usage } from './usage.js';

/** The reason why a reply gives no result. */
export interface ReplyFailure {
  readonly kind:
    /** the status is not a success */
    | 'http-error'
    /** the body is not a completion */
    | 'unusable-reply'
    /** the model refuses to answer */
    | 'refusal'
    /** the reply ends at the token limit */
    | 'length'
    /** the provider's filter stopped the reply */
    | 'content-filter'
    /** a stream ended before the reply did */
    | 'incomplete';
  readonly message: string;
  readonly upstreamStatus: number;
}

/** The first tool call of a reply, with its arguments as text. */
export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  readonly argumentsText: string;
}

/** The parts of a model's reply. */
export interface Completion {
  readonly kind: 'completion';
  /** If the content is a list, its text parts joined; "" if the reply has no content. */
  readonly content: string;
  /** The model's reasoning before its answer, if its provider shows it. It is not part of the answer. */
  readonly reasoning?: string;
  /** If there are several, only the first counts. */
  readonly toolCall?: ToolCall;
  readonly usage?: Usage;
  /** The model that answered, as the reply names it. */
  readonly resolvedModel?: string;
  /** The reason why the model stopped early. It is the failure to report if no part of the reply can be used. */
  readonly stopped?: ReplyFailure;
}

/** An HTTP error, or a body that is not a completion. No step down the ladder follows, because the reply may have cost money already. */
export interface FailedReply {
  readonly kind: 'failed';
  readonly failure: ReplyFailure;
  readonly usage?: Usage;
  /** The reply has more members than one reply may have. Since 0.3 such a reply is recorded as a failed call. */
  readonly isOverAllowance?: true;
}

/** The completion in a reply, or the reason why the reply cannot be used. */
export type Reply = Completion | FailedReply;

type ReadableReply = Pick<StoredReply, 'status' | 'body'> & {
  /** Replaces the usage in the body, if the body is erased. */
  readonly usage?: Usage;
};

/** Reads a stored reply of an OpenAI-compatible API. */
export function readReply({ status, body, usage }: ReadableReply): Reply {
  const reply = replyIn(status, body);
  return usage && !reply.usage ? { ...reply, usage } : reply;
}

function replyIn(status: number, body: StoredReply['body']): Reply {
  const text = body.content;
  if (status < 200 || status > 299) {
    const message = `LLM API error (${status}): ${excerpt(text)}`;
    return { kind: 'failed', failure: { kind: 'http-error', message, upstreamStatus: status } };
  }
  if (isOverAllowance(body)) return { ...unusable(status, TOO_MUCH_IN_REPLY), isOverAllowance: true };
  const value = completionIn(body);
  if (!value) return unusable(status, `LLM API reply is not a JSON object: ${excerpt(text)}`);
  return readCompletion(status, value);
}

/** The message of a reply with too many members. */
export const TOO_MUCH_IN_REPLY = 'LLM API reply has more objects, lists and members than a reply may have';

function readCompletion(status: number, value: JsonObject): Reply {
  if (isJsonObject(value['error'])) return unusable(status, errorText(value['error']));
  if (value[UNFINISHED] === true) return { ...unfinished(status), ...usageOf(value) };
  const choices = value['choices'];
  if (!Array.isArray(choices)) return unusable(status, 'LLM API reply has no choices');
  const [choice] = choices as unknown[];
  if (choice === undefined) return unusable(status, 'LLM API reply has zero choices');
  const { message, finish_reason: finishReason, error }: JsonObject = isJsonObject(choice) ? choice : {};
  if (isJsonObject(error)) return { ...unusable(status, errorText(error)), ...usageOf(value) };
  const stopped = stoppedEarly(status, message, finishReason);
  if (!isJsonObject(message)) return { ...withoutMessage(status, stopped), ...usageOf(value) };
  const calls = toolCallsOf(message);
  if (calls.length > MOST_TOOL_CALLS) return { ...tooManyCalls(status, calls.length), ...usageOf(value) };
  const toolCall = firstToolCall(calls);
  return {
    kind: 'completion',
    ...contentOf(message),
    ...(toolCall && { toolCall }),
    ...usageOf(value),
    ...(typeof value['model'] === 'string' && { resolvedModel: value['model'] }),
    ...(stopped && { stopped }),
  };
}

function errorText(error: JsonObject): string {
  return `LLM API reply is an error: ${excerpt(JSON.stringify(error))}`;
}

/** The content and reasoning of a message. The reasoning is a separate member (DeepSeek, OpenRouter), or precedes the text. */
function contentOf({ content, reasoning_content: older, reasoning: newer }: JsonObject): ReplyText {
  const { thought, answer } = withoutThought(textOf(content));
  const reasoning = [older, newer, thought].find((text) => typeof text === 'string' && text !== '');
  return { content: answer, ...(typeof reasoning === 'string' && { reasoning }) };
}

type ReplyText = Pick<Completion, 'content' | 'reasoning'>;

const THINK = '<think>';
const END_OF_THINK = '</think>';

/** Servers without a parser for the model's reasoning send it at the beginning of the text. A reply that ends within the reasoning has no answer. */
function withoutThought(text: string): { readonly thought?: string; readonly answer: string } {
  const begun = text.trimStart();
  if (!begun.startsWith(THINK)) return { answer: text };
  const end = begun.indexOf(END_OF_THINK);
  const thought = begun.slice(THINK.length, end === -1 ? undefined : end).trim();
  return { thought, answer: end === -1 ? '' : begun.slice(end + END_OF_THINK.length).trimStart() };
}

function usageOf(value: JsonObject): Pick<Completion, 'usage'> {
  const usage = readUsage(value['usage']);
  return usage ? { usage } : {};
}

function withoutMessage(status: number, stopped: ReplyFailure | undefined): FailedReply {
  const why = stopped ? `: ${stopped.message}` : '';
  return unusable(status, `LLM API reply has a choice without a message${why}`);
}

/** Each call is a step of the run: a reply must not use up the events that a run may record, nor call tools without end. */
const MOST_TOOL_CALLS = 128;

function tooManyCalls(status: number, count: number): FailedReply {
  return unusable(status, `LLM API reply asks for ${count} calls of tools: the limit is ${MOST_TOOL_CALLS}`);
}

function unfinished(upstreamStatus: number): FailedReply {
  const message = 'The stream of the reply ended before the reply did.';
  return { kind: 'failed', failure: { kind: 'incomplete', message, upstreamStatus } };
}

function unusable(upstreamStatus: number, message: string): FailedReply {
  return { kind: 'failed', failure: { kind: 'unusable-reply', message, upstreamStatus } };
}

function stoppedEarly(
  upstreamStatus: number,
  message: unknown,
  finishReason: unknown,
): ReplyFailure | undefined {
  const refusal = refusalOf(message);
  if (refusal !== '')
    return { kind: 'refusal', message: `The model refused: ${excerpt(refusal)}`, upstreamStatus };
  if (finishReason === 'length')
    return { kind: 'length', message: 'The reply was cut at the token limit.', upstreamStatus };
  if (finishReason === 'content_filter')
    return { kind: 'content-filter', message: "The provider's filter stopped the reply.", upstreamStatus };
  return undefined;
}

function refusalOf(message: unknown): string {
  if (!isJsonObject(message)) return '';
  const { refusal, content } = message;
  if (typeof refusal === 'string' && refusal !== '') return refusal;
  return Array.isArray(content) ? partsOf(content, 'refusal').join('') : '';
}

/** The calls as received. The `function_call` of older APIs is one call, whose id is made here. */
export function toolCallsOf({ tool_calls: calls, function_call: called }: JsonObject): readonly Json[] {
  if (Array.isArray(calls) && calls.length > 0) return calls as readonly Json[];
  return isJsonObject(called) ? [{ id: 'call_0', type: 'function', function: called }] : [];
}

function firstToolCall(calls: readonly Json[]): ToolCall | undefined {
  if (calls.length === 0) return undefined;
  const [call] = calls;
  const called = isJsonObject(call) && isJsonObject(call['function']) ? call['function'] : {};
  const id = isJsonObject(call) ? call['id'] : undefined;
  const { name, arguments: args } = called;
  return {
    ...(typeof id === 'string' && { id }),
    name: typeof name === 'string' ? name : '',
    argumentsText: typeof args === 'string' ? args : JSON.stringify(args ?? ''),
  };
}

/** The text of a message's content: its text parts joined if it is a list. */
export function textOf(content: unknown): string {
  return partsOf(content, 'text').join('');
}

/** The texts of a content: the content itself, or one kind of its parts. */
export function partsOf(content: unknown, kind: 'text' | 'refusal'): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const text = isJsonObject(part) && isPartOf(part['type'], kind) ? part[kind] : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}

function isPartOf(type: unknown, kind: 'text' | 'refusal'): boolean {
  return type === kind || (kind === 'text' && type === 'output_text');
}
