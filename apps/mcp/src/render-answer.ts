import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Logger } from '@nestjs/common';
import { isJsonObject, jsonText } from '#lib/kernel';
import { RedialProblem } from '#lib/client';
import { httpProblem, problemFor, redactorOf } from '#lib/engine/core';

export const logger = new Logger('Mcp');

const TOKENS: readonly string[] = ['actorToken', 'actorTokens', 'token'];

/**
 * The JSON body of HTTP, without the tokens of people in it: a model gets no token of a person.
 * @param isStructured whether the tool has a schema of its answers
 */
export function renderAnswer(answer: unknown, isStructured: boolean): CallToolResult {
  if (!isJsonObject(answer)) return { content: [{ type: 'text', text: jsonText(answer) }] };
  const members = Object.fromEntries(Object.entries(answer).filter(([name]) => !TOKENS.includes(name)));
  const content: CallToolResult['content'] = [{ type: 'text', text: jsonText(members) }];
  return isStructured ? { content, structuredContent: members } : { content };
}

/** Made for the first error: it reads the settings and derives the readable forms of each secret. */
let redactor: ReturnType<typeof redactorOf> | undefined;

/** The problem document of HTTP. */
export function renderError(error: unknown): CallToolResult {
  const problem = error instanceof RedialProblem ? problemOfServer(error) : problemFor(error, logger);
  redactor ??= redactorOf(process.env);
  return { content: [{ type: 'text', text: redactor.text(jsonText(problem)) }], isError: true };
}

/** A proxy before the server may answer without a problem document. */
function problemOfServer({ status, problem, message }: RedialProblem): object {
  return problem.code === undefined ? httpProblem(status, 'unexpected-answer', message) : problem;
}
