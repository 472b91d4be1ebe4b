import { type Answer, type Answers, nothing, oneOf, type View } from '../declare/answers.js';
import type { Operation } from '../declare/operation.js';
import { viewsReferredBy } from '../declare/fields.js';
import {
  answerSchema,
  componentSchemas,
  inputSchema,
  type JsonSchema,
  type ObjectSchema,
  selfContained,
} from './schemas.js';

/** A tool of MCP, as `tools/list` shows it. */
interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Absent if an answer may be no object. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

const tools = new WeakMap<Operation, McpTool>();

/** Made once: over HTTP each request has a server of its own. */
export function mcpToolOf(operation: Operation): McpTool {
  const tool = tools.get(operation) ?? toolOf(operation);
  tools.set(operation, tool);
  return tool;
}

function toolOf(operation: Operation): McpTool {
  const { id, summary, kind, destructive = false, answers } = operation;
  const output = outputSchema(anyOf(answers));
  return {
    name: id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    description: `${summary}.`,
    inputSchema: toolInput(operation),
    ...(output && { outputSchema: output }),
    annotations: {
      readOnlyHint: kind === 'query',
      destructiveHint: destructive,
      idempotentHint: kind === 'query',
      openWorldHint: kind === 'command',
    },
  };
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  description: 'The same key with the same input again: the same answer, and nothing new',
};

/** The input of a tool has no `minPosition`: a model has no positions to wait for. A command may have a key. */
function toolInput(operation: Operation): ObjectSchema {
  const { properties, ...rest } = inputSchema(operation);
  const { minPosition: _minPosition, ...shown } = properties;
  const more: ObjectSchema['properties'] =
    operation.kind === 'command' ? { idempotencyKey: IDEMPOTENCY_KEY } : {};
  const schema = { ...rest, properties: { ...shown, ...more } };
  return selfContained(schema, componentSchemas(viewsReferredBy(operation.type)));
}

/** Two statuses may have different views: a dry run has another answer than a start. */
function anyOf(answers: Answers): Answer {
  const different = [...new Set(Object.values(answers))];
  const views = different.filter((answer): answer is View => typeof answer === 'function');
  return views.length > 1 ? oneOf(...views) : (different[0] ?? nothing);
}

/** Every view is an object; only a list without members around it, a text and `null` are none. */
function outputSchema(answer: Answer): JsonSchema | undefined {
  const components = componentSchemas([answer]);
  const schema = typeof answer === 'function' ? components[answer.name] : answerSchema(answer);
  const isObject = schema?.['type'] === 'object' || ('form' in answer && answer.form === 'one of');
  return isObject ? selfContained({ type: 'object', ...schema }, components) : undefined;
}
