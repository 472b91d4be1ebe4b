import type { ASTNode } from '@marcbachmann/cel-js';
import { type Allowance, isJsonObject, type Json, type JsonObject, ownMember } from '#lib/kernel';
import { calledBy, loopOf, type Loop, nodesOf, partsOf } from './nodes.rules.js';

/** The most node evaluations in the loops of one expression. An expression above it counts as unsupported CEL. */
const MOST_STEPS_IN_LOOPS = 20_000;
/**
 * A missing value or call, or one of another type, makes an error that is caught at the next `&&`, `
 * ` or member of a loop.
 */
const STEPS_OF_AN_ERROR = 60;
/** The characters that an operator reads in one step. */
const CHARACTERS = 16;
/** Fewer, because a search reads some characters more than once. */
const CHARACTERS_SEARCHED = 8;
const STEPS_OF_AN_ITEM = 2;
const STEPS_OF_A_MEMBER = 16;

/** The loops of an expression evaluate more nodes than allowed. */
class TooManyStepsInLoops extends Error {}

/** The value of a node, or the size of a value that the evaluation makes. */
type Operand = { readonly value: Json } | { readonly size: number };

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const READ_ONCE: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'int', 'double', 'string']);

/**
 * Spends the most steps that an evaluation of an expression can take, before it is evaluated: a step for each node, and for operators and calls the
 * parts of their operands that they read. Takes no more time than it spends.
 * @throws AllowanceExceeded @throws TooManyStepsInLoops
 */
export function spendOnExpression(node: ASTNode, values: JsonObject, allowance: Allowance): void {
  new ExpressionCost(values, allowance, { steps: 0 }).spendOn(node);
}

class ExpressionCost {
  constructor(
    private readonly values: JsonObject,
    private readonly allowance: Allowance,
    /** Shared by the whole expression. */
    private readonly inLoops: { steps: number },
  ) {}

  spendOn(node: ASTNode): void {
    this.allowance.spend(1);
    const loop = loopOf(node);
    if (loop) return this.spendOnLoop(loop);
    for (const part of partsOf(node)) this.spendOn(part);
    this.allowance.spend(this.stepsOf(node));
  }

  /** Spends the steps of a loop over the members of a list, or the names of a map. */
  private spendOnLoop({ over, member, body }: Loop): void {
    this.spendOn(over);
    const list = this.valueAt(over);
    if (typeof list !== 'object' || list === null) return;
    const members: readonly Json[] = Array.isArray(list) ? (list as readonly Json[]) : Object.keys(list);
    if (!Array.isArray(list)) this.allowance.spend(members.length * STEPS_OF_A_MEMBER);
    this.inLoops.steps += members.length * nodesOf(body);
    if (this.inLoops.steps > MOST_STEPS_IN_LOOPS) throw new TooManyStepsInLoops();
    for (const value of members) {
      this.allowance.spend(STEPS_OF_AN_ERROR);
      new ExpressionCost({ ...this.values, [member]: value }, this.allowance, this.inLoops).spendOn(body);
    }
  }

  /** The steps of the operator or the call itself, without those of its operands. */
  private stepsOf(node: ASTNode): number {
    const called = calledBy(node);
    const operands = partsOf(node);
    if (node.op === '&&' || node.op === '||') return STEPS_OF_AN_ERROR;
    if (called !== 'has') for (const operand of operands) this.spendOnType(operand);
    if (node.op === '+' || node.op === 'map' || READ_ONCE.has(called ?? '')) return this.sizes(operands);
    if (node.op === '[]' && operands[1]) return this.sizes([operands[1]]);
    if (called === 'contains') return (this.sizes(operands) * CHARACTERS) / CHARACTERS_SEARCHED;
    if (called === 'size') return operands.reduce((sum, one) => sum + this.stepsToCount(one), 0);
    if (COMPARISONS.has(node.op)) return this.stepsToCompare(operands);
    return node.op === 'in' ? this.stepsToFind(operands) : 0;
  }

  /** The types of operands select the operator: of a list the first item is read, of a map all names and the first member. */
  private spendOnType(node: ASTNode): void {
    if (node.op !== 'id' && node.op !== '.' && node.op !== '[]') return;
    let value = this.valueAt(node);
    while (typeof value === 'object' && value !== null) {
      const members: readonly (Json | undefined)[] = Array.isArray(value) ? value : Object.values(value);
      this.allowance.spend(Array.isArray(value) ? 1 : members.length * STEPS_OF_A_MEMBER);
      value = members[0];
    }
  }

  private sizes(nodes: readonly ASTNode[]): number {
    return nodes.reduce((sum, one) => sum + this.sizeOf(this.operand(one)), 0);
  }

  private stepsToCount(node: ASTNode): number {
    const operand = this.operand(node);
    if (!('value' in operand)) return operand.size;
    const { value } = operand;
    if (typeof value === 'string') return value.length / CHARACTERS;
    return isJsonObject(value) ? Object.keys(value).length * STEPS_OF_A_MEMBER : 1;
  }

  /** A comparison reads both sides as far as they are equal. Comparing a text or a number with a large value takes no time. */
  private stepsToCompare([left, right]: readonly ASTNode[]): number {
    const [one, other] = [left, right].map((node) => node && this.operand(node));
    if (!one || !other) return 0;
    if (isScalar(one) || isScalar(other))
      return Math.min(...[one, other].filter(isScalar).map((scalar) => this.sizeOf(scalar)));
    return this.sizeOf(one) + this.sizeOf(other);
  }

  private stepsToFind([left, right]: readonly ASTNode[]): number {
    if (!left || !right) return 0;
    const listed = this.operand(right);
    const sought = this.sizeOf(this.operand(left));
    if (right.op === 'list') return partsOf(right).length * (STEPS_OF_AN_ITEM + sought);
    if (!('value' in listed)) return listed.size + sought;
    if (!Array.isArray(listed.value)) return STEPS_OF_A_MEMBER + sought;
    return listed.value.length * (STEPS_OF_AN_ITEM + sought);
  }

  private operand(node: ASTNode): Operand {
    this.allowance.spend(1);
    if (node.op === 'value') return { value: typeof node.args === 'string' ? node.args : null };
    if (node.op === 'id' || node.op === '.' || node.op === '[]') return { value: this.valueAt(node) ?? null };
    const called = calledBy(node);
    const gives = node.op === '+' || node.op === 'list' || node.op === 'map' || node.op === '?:';
    return { size: gives || called === 'string' ? this.sizes(partsOf(node)) : 1 };
  }

  /** Reads a list or a map completely, and spends that. */
  private sizeOf(operand: Operand): number {
    if ('size' in operand) return operand.size;
    const { value } = operand;
    if (typeof value === 'string') return 1 + value.length / CHARACTERS;
    if (typeof value !== 'object' || value === null) return 1;
    this.allowance.spend(1);
    if (Array.isArray(value))
      return (value as readonly Json[]).reduce<number>((sum, item) => sum + this.sizeOf({ value: item }), 1);
    const members = Object.values(value as JsonObject);
    this.allowance.spend(members.length);
    return members.reduce<number>(
      (sum, member) => sum + STEPS_OF_A_MEMBER + this.sizeOf({ value: member ?? null }),
      1,
    );
  }

  private valueAt(node: ASTNode): Json | undefined {
    if (node.op === 'id') return ownMember(this.values, node.args);
    if (node.op !== '.' && node.op !== '[]') return undefined;
    const [of, at] = node.args;
    const inside = this.valueAt(of);
    const key = typeof at === 'string' ? at : this.keyAt(at);
    if (key === undefined || typeof inside !== 'object' || inside === null) return undefined;
    return ownMember(inside as JsonObject, key);
  }

  private keyAt(node: ASTNode): string | undefined {
    const key: unknown = node.op === 'value' ? node.args : this.valueAt(node);
    return ['string', 'number', 'bigint'].includes(typeof key) ? String(key) : undefined;
  }
}

function isScalar(operand: Operand): boolean {
  return 'value' in operand && (typeof operand.value !== 'object' || operand.value === null);
}
