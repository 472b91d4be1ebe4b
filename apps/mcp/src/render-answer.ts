import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Logger } from '@nestjs/common';
import { isJsonObject, jsonText } from '#lib/kernel';
import { type HttpProblem, internalProblem, problemOf } from '#lib/engine';

const logger = new Logger('Mcp');

const TOKENS: readonly string[] = ['actorToken', 'actorTokens', 'token'];

/**
 * The JSON that HTTP answers, without the tokens of people that it gives there: a model holds no person's power.
 * @param isStructured whether the tool has a schema of its answers
 */
export function renderAnswer(answer: unknown, isStructured: boolean): CallToolResult {
  if (!isJsonObject(answer)) return { content: [{ type: 'text', text: jsonText(answer) }] };
  const members = Object.fromEntries(Object.entries(answer).filter(([name]) => !TOKENS.includes(name)));
  const content: CallToolResult['content'] = [{ type: 'text', text: jsonText(members) }];
  return isStructured ? { content, structuredContent: members } : { content };
}

/** The problem document that HTTP answers. */
export function renderError(error: unknown): CallToolResult {
  return { content: [{ type: 'text', text: jsonText(problemFor(error)) }], isError: true };
}

/** The problem of any error; an unforeseen one is logged under an id, and the problem names only that. */
export function problemFor(error: unknown): HttpProblem {
  const problem = problemOf(error);
  if (problem) return problem;
  const errorId = randomUUID();
  logger.error(`${errorId} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return internalProblem(errorId);
}
