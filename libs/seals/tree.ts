import { createHash } from 'node:crypto';

// The Merkle tree of RFC 6962 over hashes of 32 bytes. Its leaves are hashed by `leafHash`, whose bytes begin with 0.

const NODE = Buffer.of(1);

function nodeOf(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

/** A tree that grows at its end. It holds one hash for each bit of the number of its leaves. */
export class Tree {
  #count = 0;
  /** The roots of the whole subtrees, the largest first. */
  readonly #peaks: Buffer[];

  constructor(before?: Tree) {
    this.#count = before?.count ?? 0;
    this.#peaks = before ? [...before.#peaks] : [];
  }

  get count(): number {
    return this.#count;
  }

  add(hash: Buffer): this {
    let node = hash;
    for (let left = this.#count; left % 2 === 1; left = Math.floor(left / 2)) {
      node = nodeOf(this.#peaks.pop() ?? node, node);
    }
    this.#peaks.push(node);
    this.#count += 1;
    return this;
  }

  /** `undefined` of an empty tree. */
  get root(): Buffer | undefined {
    return this.#peaks.reduceRight<Buffer | undefined>(
      (right, left) => (right ? nodeOf(left, right) : left),
      undefined,
    );
  }
}

/** The root over these hashes; `undefined` over none. */
export function rootOf(hashes: Iterable<Buffer>): Buffer | undefined {
  const tree = new Tree();
  for (const hash of hashes) tree.add(hash);
  return tree.root;
}

/** The nodes of a tree: its leaves, then each level above them, up to the root. A node without a neighbour is also the node above. */
export function levelsOf(hashes: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const levels = [hashes];
  for (let below = hashes; below.length > 1; levels.push(below)) below = parentsOf(below);
  return levels;
}

function parentsOf(nodes: readonly Buffer[]): readonly Buffer[] {
  const parents: Buffer[] = [];
  for (let at = 0; at < nodes.length; at += 2) {
    const [left, right] = nodes.slice(at, at + 2);
    if (left) parents.push(right ? nodeOf(left, right) : left);
  }
  return parents;
}

/** The siblings on the path from a leaf to the root, the one beside the leaf first. */
export function pathIn(levels: readonly (readonly Buffer[])[], index: number): readonly Buffer[] {
  return levels.flatMap((nodes, level) => {
    const at = Math.floor(index / 2 ** level);
    return nodes[at % 2 === 0 ? at + 1 : at - 1] ?? [];
  });
}

/** The root at the end of a path from a leaf of a tree of so many leaves; `undefined` if the path has the wrong length. */
export function rootBy(
  leaf: Buffer,
  index: number,
  count: number,
  path: readonly Buffer[],
): Buffer | undefined {
  if (index >= count) return undefined;
  if (count === 1) return path.length === 0 ? leaf : undefined;
  const [beside, inside] = [path.at(-1), path.slice(0, -1)];
  if (!beside) return undefined;
  const middle = 2 ** Math.floor(Math.log2(count - 1));
  if (index < middle) {
    const left = rootBy(leaf, index, middle, inside);
    return left && nodeOf(left, beside);
  }
  const right = rootBy(leaf, index - middle, count - middle, inside);
  return right && nodeOf(beside, right);
}
