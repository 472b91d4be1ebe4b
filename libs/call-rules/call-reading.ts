import { isJsonObject, type JsonObject } from '#lib/kernel';
import { parseReplyObject } from './parse-reply-json.js';
import { readReply, textOf, type ToolCall } from './read-reply.js';

/** A call to a model, as a row of the audit. */
export interface ReadableCall {
  readonly requestBody: JsonObject;
  /** `null` before a reply. */
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly responseEncoding?: 'base64';
  readonly responseIncomplete?: true;
  readonly outcome: string;
  /** The tool call or answer did not fit, and the model was asked again. */
  readonly askedAgain?: true;
  readonly error: string | null;
}

interface ReadableMessage {
  readonly role: string;
  /** The text, with its tool calls as `name(arguments)`. */
  readonly text: string;
}

interface ReadableTool {
  readonly name: string;
  readonly description: string;
  /** `name: type` for each argument; `?` marks optional ones. */
  readonly parameters: string;
}

/** A call to a model in the form in which people read it. */
export interface CallReading {
  readonly messages: readonly ReadableMessage[];
  readonly tools: readonly ReadableTool[];
  /** The text of the reply, or of the refusal; "" if there is neither. */
  readonly replyText: string;
  /** The model's reasoning before its answer, if its provider shows it. */
  readonly reasoning?: string;
  readonly toolCall?: { readonly name: string; readonly arguments: JsonObject | string };
  /** The conclusion from the reply, as a sentence. */
  readonly conclusion: string;
}

/** Reads the recorded request and reply. Total: any body is readable. */
export function callReading(call: ReadableCall): CallReading {
  const { messages, tools } = call.requestBody;
  return {
    messages: objectsIn(messages).map(readableMessage),
    tools: objectsIn(tools).map(readableTool),
    ...readableReply(call),
    conclusion: conclusionOf(call),
  };
}

function readableMessage(message: JsonObject): ReadableMessage {
  const { role, content, tool_calls: calls } = message;
  const called = objectsIn(calls).map(({ function: called }) => {
    const { name, arguments: args }: JsonObject = isJsonObject(called) ? called : {};
    return `${plain(name)}(${plain(args)})`;
  });
  return { role: plain(role), text: [textOf(content), ...called].filter((part) => part !== '').join('\n') };
}

function readableTool({ function: tool }: JsonObject): ReadableTool {
  const { name, description, parameters }: JsonObject = isJsonObject(tool) ? tool : {};
  return { name: plain(name), description: plain(description), parameters: readableParameters(parameters) };
}

function readableParameters(schema: unknown): string {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return '';
  const { properties, required } = schema;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(properties)
    .map(([name, property]) => `${name}${needed.has(name) ? '' : '?'}: ${typeOf(property)}`)
    .join(', ');
}

function typeOf(schema: unknown): string {
  if (!isJsonObject(schema)) return 'any';
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  return Array.isArray(type) ? type.join(' | ') : plain(type) || 'any';
}

function readableReply(call: ReadableCall): Pick<CallReading, 'replyText' | 'reasoning' | 'toolCall'> {
  const { responseStatus: status, responseBody: content, responseEncoding = 'utf8' } = call;
  if (status === null || content === null) return { replyText: '' };
  const reply = readReply({
    status,
    body: { encoding: responseEncoding, content, sha256: '' },
  });
  if (call.responseIncomplete || reply.kind === 'failed') return { replyText: content };
  const { content: replyText, reasoning, toolCall } = reply;
  return {
    replyText,
    ...(reasoning !== undefined && { reasoning }),
    ...(toolCall && { toolCall: readableCall(toolCall) }),
  };
}

function readableCall({ name, argumentsText }: ToolCall): NonNullable<CallReading['toolCall']> {
  return { name, arguments: parseReplyObject(argumentsText) ?? argumentsText };
}

/** The conclusion from the reply, as a sentence. */
export function conclusionOf({
  outcome,
  error,
  askedAgain,
}: Pick<ReadableCall, 'outcome' | 'error' | 'askedAgain'>): string {
  const said = `${CONCLUSIONS[outcome] ?? outcome}${askedAgain ? '; it did not fit, and the model was asked again' : ''}`;
  return error === null ? `${said}.` : `${said}: ${error}`;
}

const CONCLUSIONS: { readonly [outcome: string]: string } = {
  toolCall: 'A tool was called',
  decision: 'Decision JSON was read from the text',
  noToolCall: 'No tool was called, and the text holds no decision',
  unreadable: 'The text holds no decision',
  failed: 'The call failed',
  pending: 'No reply has come yet',
  erased: 'The reply is erased',
};

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
