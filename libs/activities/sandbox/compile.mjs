import { parse } from 'acorn';
import { transform } from 'sucrase';
import { keepingLines } from './jsx-lines.mjs';

/**
 * @typedef {{ readonly code: string, readonly names: readonly string[], readonly comments: readonly { readonly text: string, readonly line: number }[] }} Compiled
 * @typedef {{ readonly problem: string, readonly line?: number }} Problem
 * @typedef {import('acorn').Pattern} Pattern
 */

const LONGEST = 262_144;
/** Precedes the first line of a program, on the same line. */
export const HEAD = "async function* program() { 'use strict';";

/**
 * Compiles TypeScript or TSX to JavaScript with the same lines. Gives also the names that its top level declares, and its comments.
 * @param {string} source
 * @returns {Compiled | Problem}
 * @throws RangeError if the code is nested more deeply than the stack of this thread allows
 */
export function compile(source) {
  if (source.trim() === '') return { problem: 'There is no code.' };
  if (source.length > LONGEST) return { problem: `The code has more than ${LONGEST} characters.` };
  return attempt(() => read(transformed(source)));
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

/**
 * @param {string} code
 * @returns {Compiled}
 */
function read(code) {
  /** @type {{ text: string, line: number }[]} */
  const comments = [];
  const { body } = parse(`${HEAD}${code}\n}`, {
    ecmaVersion: 2024,
    locations: true,
    onComment: (_, text, _start, _end, at) => comments.push({ text: text.trim(), line: at?.line ?? 1 }),
  });
  const [program] = body;
  // A brace of the code closed the wrapper.
  if (body.length !== 1 || program?.type !== 'FunctionDeclaration') throw new SyntaxError('Unexpected }');
  const names = [...new Set(program.body.body.flatMap(declaredBy))];
  return { code: withLines(code, program.body), names, comments };
}

/**
 * Puts an expression before each statement, so that errors get the right lines. The engine keeps lines of calls, throws and statements that are an expression. An
 * error of any other statement has the line of the code that ran before it, unless an expression precedes the statement.
 * @param {string} code
 * @param {import('acorn').Node} program
 */
function withLines(code, program) {
  const starts = statementsIn(program).toSorted((one, other) => one - other);
  const places = starts.map((start) => start - HEAD.length);
  const parts = [0, ...places].map((place, index) => code.slice(place, places[index]));
  return parts.join('0;');
}

const STATEMENT = /^(?!Expression).*(?:Statement|Declaration)$/;

/**
 * The starts of the statements in lists. The body of a loop that is not a block is in no list: no other statement can precede it.
 * @param {unknown} tree a node, or a value within one
 * @param {number[]} starts
 */
function statementsIn(tree, starts = []) {
  if (typeof tree !== 'object' || tree === null) return starts;
  for (const one of Object.values(tree)) {
    if (Array.isArray(tree) && STATEMENT.test(one?.type)) starts.push(one.start);
    statementsIn(one, starts);
  }
  return starts;
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
 * @returns {T | Problem}
 */
function attempt(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const [, line] = /\((\d+):\d+\)$/.exec(message) ?? [];
    const problem = message.replace(/^Error transforming [^:]*: /, '').replace(/ \(\d+:\d+\)$/, '');
    return { problem, ...(line !== undefined && { line: Number(line) }) };
  }
}
