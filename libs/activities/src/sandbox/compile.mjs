import { parse } from 'acorn';
import { transform } from 'sucrase';
import { keepingLines } from './jsx-lines.mjs';

/**
 * @typedef {{ readonly code: string, readonly names: readonly string[], readonly comments: readonly { readonly text: string, readonly line: number }[] }} Compiled
 * @typedef {{ readonly problem: string, readonly line?: number }} Problem
 * @typedef {import('acorn').Pattern} Pattern
 */

const LONGEST = 262_144;
/** Of the wrapper, before the first line of the program. */
export const LINES_BEFORE = 1;

/**
 * TypeScript or TSX to JavaScript of the same lines, the names that its top level declares, and its comments.
 * @param {string} source
 * @returns {Compiled | Problem}
 * @throws RangeError where the code is nested more deeply than the stack of this thread allows
 */
export function compile(source) {
  if (source.trim() === '') return { problem: 'There is no code.' };
  if (source.length > LONGEST) return { problem: `The code has more than ${LONGEST} characters.` };
  const code = attempt(() => transformed(source), 0);
  if (typeof code !== 'string') return code;
  const found = attempt(() => read(code), LINES_BEFORE);
  return 'problem' in found ? found : { code, ...found };
}

/** @param {string} source */
function transformed(source) {
  const { code } = transform(keepingLines(source), {
    transforms: ['typescript', 'jsx'],
    jsxPragma: 'jsx',
    jsxFragmentPragma: 'Fragment',
    production: true,
    disableESTransforms: true,
  });
  return code;
}

/** @param {string} code */
function read(code) {
  /** @type {{ text: string, line: number }[]} */
  const comments = [];
  const wrapped = `async function* program() { 'use strict';\n${code}\n}`;
  const { body } = parse(wrapped, {
    ecmaVersion: 2024,
    locations: true,
    onComment: (_, text, _start, _end, at) =>
      comments.push({ text: text.trim(), line: (at?.line ?? 1) - LINES_BEFORE }),
  });
  const [program] = body;
  // A brace of the code closed the wrapper.
  if (body.length !== 1 || program?.type !== 'FunctionDeclaration') throw new SyntaxError('Unexpected }');
  return { names: [...new Set(program.body.body.flatMap(declaredBy))], comments };
}

/**
 * @param {import('acorn').Statement} statement
 * @returns {readonly string[]}
 */
function declaredBy(statement) {
  if (statement.type === 'VariableDeclaration') return statement.declarations.flatMap(({ id }) => bound(id));
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
    return [statement.id.name];
  return [];
}

/**
 * @param {Pattern | null} pattern
 * @returns {readonly string[]}
 */
function bound(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ArrayPattern':
      return pattern.elements.flatMap(bound);
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => bound(one.type === 'Property' ? one.value : one));
    case 'AssignmentPattern':
      return bound(pattern.left);
    case 'RestElement':
      return bound(pattern.argument);
    default:
      return [];
  }
}

/**
 * @template T
 * @param {() => T} work
 * @param {number} linesBefore of the text that is read, before the program
 * @returns {T | Problem}
 */
function attempt(work, linesBefore) {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const [, line] = /\((\d+):\d+\)$/.exec(message) ?? [];
    const problem = message.replace(/^Error transforming [^:]*: /, '').replace(/ \(\d+:\d+\)$/, '');
    return { problem, ...(line !== undefined && { line: Number(line) - linesBefore }) };
  }
}
