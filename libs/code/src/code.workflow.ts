import type { Rules, Workflow } from '#lib/workflow';
import { codeInputSchema } from './code.input.js';
import { beginCode, type CodeState, evolveCode, nextOfCode, wholeResult } from './code.rules.js';

const rules: Rules<CodeState> = {
  input: codeInputSchema,
  facts: ['model', 'tools'],
  initialState: beginCode,
  evolve: evolveCode,
  next: nextOfCode,
  wholeResult,
};

/** A model writes programs that call tools, one after another, until a program returns an exit or a limit is reached. */
export const code: Workflow<CodeState> = { name: 'code', versions: { 1: rules } };
