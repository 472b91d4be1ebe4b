/** The amounts of work that are counted for a unit, over all of its parts. */
export interface Measures {
  /** Operations of up to 0.1 microseconds each. Steps, unlike time, are the same at every replay. */
  readonly steps: number;
  /** Bytes or characters that are made and kept. */
  readonly bytes: number;
  /** Objects, lists and their members. */
  readonly members: number;
  /** Levels of nested objects and lists. */
  readonly depth: number;
}

type Counted = 'steps' | 'bytes' | 'members';

/** A part of the work would take more than is left of a measure. */
export class AllowanceExceeded extends Error {
  constructor(readonly measure: keyof Measures) {
    super(`The work takes more ${measure} than its allowance`);
  }
}

/** The value of an absent bound. */
const UNBOUNDED: Measures = {
  steps: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  members: Number.MAX_SAFE_INTEGER,
  depth: Number.MAX_SAFE_INTEGER,
};

/**
 * The bounds of one unit of work, such as a turn or a reply. All parts of the unit share it, and each part spends from it before or while it works.
 * Once a measure is exceeded, all later spending of it is refused as well.
 */
export class Allowance {
  readonly #left: { [measure in Counted]: number };
  readonly depth: number;

  /** @param bounds an absent measure has no bound */
  constructor(bounds: Partial<Measures> = {}) {
    const { depth, ...counted } = { ...UNBOUNDED, ...bounds };
    this.depth = depth;
    this.#left = counted;
  }

  /** The rest of each measure; below 0 once a part was refused. */
  get left(): Pick<Measures, Counted> {
    return { ...this.#left };
  }

  /** Whether a part was refused because the unit has used a measure up. */
  get isExceeded(): boolean {
    return Object.values(this.#left).some((left) => left < 0);
  }

  /** @throws AllowanceExceeded if more is spent than was left */
  spend(steps: number): void {
    if ((this.#left.steps -= steps) < 0) throw new AllowanceExceeded('steps');
  }

  /** @throws AllowanceExceeded */
  keep(bytes: number): void {
    if ((this.#left.bytes -= bytes) < 0) throw new AllowanceExceeded('bytes');
  }

  /** @throws AllowanceExceeded */
  take(members: number): void {
    if ((this.#left.members -= members) < 0) throw new AllowanceExceeded('members');
  }

  /**
   * Does a part of the work that also has bounds of its own. Its spending counts here as well. If the part exceeds its own bound, the rest stays for
   * later parts; if it exceeds this bound, nothing is left.
   * @throws AllowanceExceeded if it is over either bound, and errors of the work
   */
  part<Result>(own: Partial<Pick<Measures, Counted>>, work: (part: Allowance) => Result): Result {
    const left = this.#left;
    const bounds = { ...left, ...own };
    const part = new Allowance({ ...minima(left, bounds), depth: this.depth });
    try {
      return work(part);
    } finally {
      for (const measure of COUNTED) {
        const rest = part.#left[measure];
        if (bounds[measure] < left[measure]) left[measure] -= bounds[measure] - Math.max(0, rest);
        else left[measure] = rest;
      }
    }
  }
}

const COUNTED: readonly Counted[] = ['steps', 'bytes', 'members'];

function minima(some: Pick<Measures, Counted>, others: Pick<Measures, Counted>): Pick<Measures, Counted> {
  return {
    steps: Math.min(some.steps, others.steps),
    bytes: Math.min(some.bytes, others.bytes),
    members: Math.min(some.members, others.members),
  };
}
