import type { ASTNode } from '@marcbachmann/cel-js';
import { calledBy, isPath, type Loop, loopOf, partsOf, variablesOf } from './nodes.rules.js';

const FUNCTIONS = ['has', 'size', 'contains', 'startsWith', 'endsWith', 'int', 'double', 'string'];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
/** Operators whose time grows with the values that they read. */
const WALKS = [...COMPARISONS, 'in', '+'];
/** The search for a longer text may take quadratic time. */
const LONGEST_SEARCHED = 200;

/** The reason why the time of an expression is not bounded by its nodes times the size of the values that it reads. */
export function unboundedPart(node: ASTNode, member?: string): string | undefined {
  const loop = loopOf(node);
  if (loop) return problemOfLoop(loop, member) ?? unboundedPart(loop.body, loop.member);
  const problem = problemOfCall(node) ?? problemOfIn(node) ?? problemInLoop(node, member);
  return problem ?? firstOf(partsOf(node), (one) => unboundedPart(one, member));
}

function problemOfLoop({ over }: Loop, member: string | undefined): string | undefined {
  if (member !== undefined) return `has a loop in the loop over ${member}`;
  return isPath(over) ? undefined : 'loops over a value that is not a variable or a member of one';
}

function problemOfCall(node: ASTNode): string | undefined {
  const called = calledBy(node);
  if (called === undefined) return undefined;
  if (!FUNCTIONS.includes(called)) return `calls ${called}`;
  if (called !== 'contains') return undefined;
  const searched = node.op === 'rcall' ? node.args[2][0] : undefined;
  const text = searched?.op === 'value' ? searched.args : undefined;
  const isShort = typeof text === 'string' && text.length <= LONGEST_SEARCHED;
  return isShort
    ? undefined
    : `calls contains with other than a literal of at most ${LONGEST_SEARCHED} characters`;
}

/** Each member of the list is compared with the whole left operand. */
function problemOfIn(node: ASTNode): string | undefined {
  if (node.op !== 'in') return undefined;
  const [left, right] = node.args;
  const isScalar = left.op === 'value' || calledBy(left) !== undefined;
  return isScalar || right.op === 'list'
    ? undefined
    : 'has in without a literal or a call on the left, or a literal list on the right';
}

/** A loop may read only the member itself, so that a list is read once, and not once for each member. */
function problemInLoop(node: ASTNode, member: string | undefined): string | undefined {
  const called = calledBy(node);
  const walks = WALKS.includes(node.op) || (called !== undefined && called !== 'has');
  if (member === undefined || !walks || isComparedWithLiteral(node)) return undefined;
  const other = variablesOf(node).find((name) => name !== member);
  return other === undefined
    ? undefined
    : `reads ${other} for each ${member} of a loop (${called ?? node.op})`;
}

function isComparedWithLiteral(node: ASTNode): boolean {
  return COMPARISONS.includes(node.op) && partsOf(node).some(({ op }) => op === 'value');
}

function firstOf<T>(nodes: readonly ASTNode[], find: (node: ASTNode) => T | undefined): T | undefined {
  for (const node of nodes) {
    const found = find(node);
    if (found !== undefined) return found;
  }
  return undefined;
}
