import { type Event, ownMember } from '#lib/kernel';
import { isRunCategory } from '#lib/workflow';
import {
  type Documents,
  type Fold,
  type FoldOf,
  type Folds,
  type Needs,
  type ReadModel,
  takesEvery,
} from './declare.js';

/** The folds and documents of an event's type and category. */
export interface Plan {
  readonly folds: readonly Fold[];
  readonly needs: readonly Needs[];
  /** The documents of streams of the category. */
  readonly own: readonly Documents[];
}

/** The plans of a category. */
interface Category {
  readonly own: readonly Documents[];
  readonly byType: ReadonlyMap<string, Plan>;
  /** Of types that are not in `byType`. */
  readonly others: Plan | undefined;
}

type Declared = FoldOf<Event> | Folds<Event>;

/** The folds of each type of event, in the order of the models. */
export class Plans {
  readonly #categories: ReadonlyMap<string, Category>;
  readonly #categoryOf: ReadonlyMap<Documents, string>;
  readonly #runs: Category;

  constructor(models: readonly ReadModel[]) {
    const names = new Set(models.flatMap(({ on, of = {} }) => [...Object.keys(on), ...Object.keys(of)]));
    this.#categories = new Map([...names].map((name) => [name, categoryOf(models, name)]));
    const owned = [...this.#categories].flatMap(([name, { own }]) =>
      own.map((kind) => [kind, name] as const),
    );
    this.#categoryOf = new Map(owned);
    const ofRuns = models.flatMap((model) => model.ofRuns ?? []);
    this.#runs = planned(
      ofRuns,
      models.flatMap(({ onRuns }): Declared[] => (onRuns ? [onRuns] : [])),
    );
  }

  /** `undefined` if no fold takes the event. */
  of(category: string, type: string): Plan | undefined {
    const plans = this.#categories.get(category) ?? (isRunCategory(category) ? this.#runs : undefined);
    return plans && (plans.byType.get(type) ?? plans.others);
  }

  /** The category of the streams whose documents these are. */
  categoryOf(kind: Documents): string | undefined {
    return this.#categoryOf.get(kind);
  }

  /** Whether folds name this category: then an unknown type may change rows of a newer build. */
  names(category: string): boolean {
    return this.#categories.has(category);
  }
}

function categoryOf(models: readonly ReadModel[], name: string): Category {
  const runs = isRunCategory(name);
  const own = models.flatMap(
    ({ of, ofRuns }) => (of && ownMember(of, name)) ?? (runs ? ofRuns : undefined) ?? [],
  );
  return planned(
    own,
    models.flatMap(({ on, onRuns }): Declared[] => {
      const declared: Declared | undefined = ownMember(on, name) ?? (runs ? onRuns : undefined);
      return declared ? [declared] : [];
    }),
  );
}

function planned(own: readonly Documents[], all: readonly Declared[]): Category {
  const types = new Set(all.flatMap((declared) => (takesEvery(declared) ? [] : Object.keys(declared))));
  const plan = (type?: string) =>
    planOf(
      own,
      all.flatMap((declared): FoldOf<Event>[] => {
        const found = foldOf(declared, type);
        return found ? [found] : [];
      }),
    );
  const byType = [...types].flatMap((type) => {
    const found = plan(type);
    return found ? ([[type, found]] as const) : [];
  });
  return { own, byType: new Map(byType), others: plan() };
}

function foldOf(declared: Declared, type: string | undefined): FoldOf<Event> | undefined {
  if (takesEvery(declared)) return declared;
  return type === undefined ? undefined : ownMember(declared, type);
}

function planOf(own: readonly Documents[], found: readonly FoldOf<Event>[]): Plan | undefined {
  if (found.length === 0) return undefined;
  const folds = found.map((one) => (typeof one === 'function' ? one : one.fold));
  const needs = found.flatMap((one) => (typeof one === 'function' ? [] : [one.needs]));
  return { folds, needs, own };
}
