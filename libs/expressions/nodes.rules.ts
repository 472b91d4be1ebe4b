import type { ASTNode } from '@marcbachmann/cel-js';

/** The functions that visit all members of a list. */
const LOOPS = ['all', 'exists', 'exists_one'];

/** A loop over the members of a list, or the names of a map. */
export interface Loop {
  readonly member: string;
  readonly over: ASTNode;
  readonly body: ASTNode;
}

/** The loop of a node; `undefined` if the node is no loop. */
export function loopOf(node: ASTNode): Loop | undefined {
  if (node.op !== 'rcall' || !LOOPS.includes(node.args[0])) return undefined;
  const [, over, [variable, body]] = node.args;
  return variable?.op === 'id' && body ? { member: variable.args, over, body } : undefined;
}

/** The function that a node calls. */
export function calledBy(node: ASTNode): string | undefined {
  return node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined;
}

/** Whether a node is a variable, or a member of one at a literal key. */
export function isPath(node: ASTNode): boolean {
  if (node.op === '.') return isPath(node.args[0]);
  return node.op === 'id' || (node.op === '[]' && isPath(node.args[0]) && node.args[1].op === 'value');
}

/** The number of nodes in a tree. */
export function nodesOf(node: ASTNode): number {
  return partsOf(node).reduce((sum, one) => sum + nodesOf(one), 1);
}

export function variablesOf(node: ASTNode): readonly string[] {
  return node.op === 'id' ? [node.args] : partsOf(node).flatMap(variablesOf);
}

/** The nodes right below a node. */
export function partsOf({ args }: ASTNode): readonly ASTNode[] {
  return [args].flat(3).filter(isNode);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}
