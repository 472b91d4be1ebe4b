class Node<Value> {
  constructor(
    readonly key: string,
    readonly value: Value,
    readonly order: number,
    /** At most the priority of the node above. It follows from the key, so the depth grows with the logarithm of the size. */
    readonly priority: number,
    readonly left?: Node<Value>,
    readonly right?: Node<Value>,
  ) {}

  with(left: Node<Value> | undefined, right: Node<Value> | undefined): Node<Value> {
    return new Node(this.key, this.value, this.order, this.priority, left, right);
  }
}

type Tree<Value> = Node<Value> | undefined;

/**
 * An immutable map. A change gives another map that shares all nodes but those on the way to the change. It is read in the order in which its
 * keys were added; a key whose value is replaced keeps its place.
 */
export class KeptMap<Value> implements Iterable<readonly [string, Value]> {
  private constructor(
    private readonly root: Tree<Value>,
    readonly size: number,
    private readonly inserted: number,
  ) {}

  static empty<Value>(): KeptMap<Value> {
    return new KeptMap<Value>(undefined, 0, 0);
  }

  get(key: string): Value | undefined {
    return nodeOf(this.root, key)?.value;
  }

  has(key: string): boolean {
    return nodeOf(this.root, key) !== undefined;
  }

  with(key: string, value: Value): KeptMap<Value> {
    const order = nodeOf(this.root, key)?.order;
    const node = new Node(key, value, order ?? this.inserted, priorityOf(key));
    const root = put(this.root, node);
    return new KeptMap(root, order === undefined ? this.size + 1 : this.size, this.inserted + 1);
  }

  without(key: string): KeptMap<Value> {
    if (!this.has(key)) return this;
    return new KeptMap(taken(this.root, key), this.size - 1, this.inserted);
  }

  *[Symbol.iterator](): Iterator<readonly [string, Value]> {
    for (const { key, value } of this.#nodes()) yield [key, value];
  }

  keys(): readonly string[] {
    return this.#nodes().map(({ key }) => key);
  }

  values(): readonly Value[] {
    return this.#nodes().map(({ value }) => value);
  }

  #nodes(): readonly Node<Value>[] {
    const found: Node<Value>[] = [];
    const waiting = this.root ? [this.root] : [];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      found.push(node);
      if (node.left) waiting.push(node.left);
      if (node.right) waiting.push(node.right);
    }
    return found.toSorted((one, other) => one.order - other.order);
  }
}

function nodeOf<Value>(root: Tree<Value>, key: string): Tree<Value> {
  let node = root;
  while (node && node.key !== key) node = key < node.key ? node.left : node.right;
  return node;
}

function put<Value>(tree: Tree<Value>, node: Node<Value>): Node<Value> {
  if (!tree) return node;
  if (tree.key === node.key) return node.with(tree.left, tree.right);
  if (node.key < tree.key) {
    const left = put(tree.left, node);
    return left.priority > tree.priority
      ? left.with(left.left, tree.with(left.right, tree.right))
      : tree.with(left, tree.right);
  }
  const right = put(tree.right, node);
  return right.priority > tree.priority
    ? right.with(tree.with(tree.left, right.left), right.right)
    : tree.with(tree.left, right);
}

function taken<Value>(tree: Tree<Value>, key: string): Tree<Value> {
  if (!tree) return undefined;
  if (tree.key === key) return joined(tree.left, tree.right);
  return key < tree.key
    ? tree.with(taken(tree.left, key), tree.right)
    : tree.with(tree.left, taken(tree.right, key));
}

/** Joins two trees. All keys of the first come before all keys of the second. */
function joined<Value>(one: Tree<Value>, other: Tree<Value>): Tree<Value> {
  if (!one || !other) return one ?? other;
  return one.priority > other.priority
    ? one.with(one.left, joined(one.right, other))
    : other.with(joined(one, other.left), other.right);
}

/** FNV-1a, with its bits mixed once more, because ids that follow each other differ only in their last characters. */
function priorityOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
