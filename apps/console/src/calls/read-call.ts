/** Request and reply, taken from the recorded bodies as far as these have the usual form. */

export interface Message {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

export interface ToolCall {
  readonly name: string;
  /** The arguments as the model wrote them; as a value where they are JSON. */
  readonly arguments: unknown;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

interface ReadRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** The other members of the body: model, temperature and so on. */
  readonly settings: { readonly [name: string]: unknown };
}

export interface ReadReply {
  readonly message: Message;
  readonly finishReason?: string;
  readonly refusal?: string;
}

type Json = { readonly [name: string]: unknown };

export function readRequest(body: object): ReadRequest {
  const { messages, tools, ...settings } = body as Json;
  return { messages: listOf(messages).map(messageOf), tools: listOf(tools).map(toolOf), settings };
}

/** The reply, or `undefined` if the body is no completion: then the body is shown unchanged. */
export function readReply(body: string | null): ReadReply | undefined {
  const [choice] = listOf(objectOf(valueOf(body ?? ''))['choices']).map(objectOf);
  if (!choice) return undefined;
  const message = objectOf(choice['message']);
  const { finish_reason: reason } = choice;
  const { refusal } = message;
  return {
    message: messageOf(message),
    ...(typeof reason === 'string' && { finishReason: reason }),
    ...(typeof refusal === 'string' && { refusal }),
  };
}

/** The value of a JSON text; any other text unchanged. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function messageOf(given: unknown): Message {
  const message = objectOf(given);
  const { role, content } = message;
  return {
    role: typeof role === 'string' ? role : 'assistant',
    text: textOf(content),
    calls: listOf(message['tool_calls']).map((call) => {
      const { name, arguments: text } = objectOf(objectOf(call)['function']);
      return { name: String(name), arguments: typeof text === 'string' ? valueOf(text) : text };
    }),
  };
}

/** A text, or the texts of the parts of a content. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => objectOf(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function toolOf(given: unknown): Tool {
  const { name, description, parameters } = objectOf(objectOf(given)['function']);
  return {
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    parameters,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
