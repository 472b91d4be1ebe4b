import type { ASTNode } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '#lib/kernel';

const FUNCTIONS = ['has', 'size', 'contains', 'startsWith', 'endsWith', 'int', 'double', 'string'];
/** Each visits all members of a list. */
const LOOPS = ['all', 'exists', 'exists_one'];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
/** Operators whose time grows with the values that they read. */
const WALKS = [...COMPARISONS, 'in', '+'];
/** Longer ones may be searched for in quadratic time. */
const LONGEST_SEARCHED = 200;

interface Loop {
  readonly member: string;
  readonly over: ASTNode;
  readonly body: ASTNode;
}

/** Why the time of an expression is not bounded by its nodes times the size of the values that it reads. */
export function unboundedPart(node: ASTNode, member?: string): string | undefined {
  const loop = loopOf(node);
  if (loop) return problemOfLoop(loop, member) ?? unboundedPart(loop.body, loop.member);
  const problem = problemOfCall(node) ?? problemOfIn(node) ?? problemInLoop(node, member);
  return problem ?? firstOf(partsOf(node), (one) => unboundedPart(one, member));
}

/** How often nodes are evaluated in the loops of an expression, at most. */
export function stepsInLoops(node: ASTNode, values: JsonObject): number {
  const loop = loopOf(node);
  if (loop) return membersOf(valueAt(loop.over, values)) * nodesOf(loop.body);
  return partsOf(node).reduce((sum, one) => sum + stepsInLoops(one, values), 0);
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

/** Each member of the list is compared with the whole of what is on the left. */
function problemOfIn(node: ASTNode): string | undefined {
  if (node.op !== 'in') return undefined;
  const [left, right] = node.args;
  const isScalar = left.op === 'value' || calledBy(left) !== undefined;
  return isScalar || right.op === 'list'
    ? undefined
    : 'has in without a literal or a call on the left, or a literal list on the right';
}

/** A loop may read only the member itself, so that a list is read once and not once for each member. */
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

function loopOf(node: ASTNode): Loop | undefined {
  if (node.op !== 'rcall' || !LOOPS.includes(node.args[0])) return undefined;
  const [, over, [variable, body]] = node.args;
  return variable?.op === 'id' && body ? { member: variable.args, over, body } : undefined;
}

function calledBy(node: ASTNode): string | undefined {
  return node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined;
}

function isPath(node: ASTNode): boolean {
  if (node.op === '.') return isPath(node.args[0]);
  return node.op === 'id' || (node.op === '[]' && isPath(node.args[0]) && node.args[1].op === 'value');
}

function valueAt(node: ASTNode, values: JsonObject): Json | undefined {
  if (node.op === 'id') return values[node.args];
  if (node.op !== '.' && node.op !== '[]') return undefined;
  const [of, at] = node.args;
  const inside = valueAt(of, values);
  const key = typeof at === 'string' ? at : at.args;
  if (typeof key !== 'string' && typeof key !== 'bigint' && typeof key !== 'number') return undefined;
  return typeof inside === 'object' && inside !== null ? (inside as JsonObject)[`${key}`] : undefined;
}

function membersOf(value: Json | undefined): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function nodesOf(node: ASTNode): number {
  return partsOf(node).reduce((sum, one) => sum + nodesOf(one), 1);
}

function variablesOf(node: ASTNode): readonly string[] {
  return node.op === 'id' ? [node.args] : partsOf(node).flatMap(variablesOf);
}

function partsOf({ args }: ASTNode): readonly ASTNode[] {
  return [args].flat(3).filter(isNode);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}

function firstOf<T>(nodes: readonly ASTNode[], find: (node: ASTNode) => T | undefined): T | undefined {
  for (const node of nodes) {
    const found = find(node);
    if (found !== undefined) return found;
  }
  return undefined;
}
