import type { EventLog } from '#lib/event-store';
import type { Rejection } from '#lib/kernel';
import { callIdOf, type Page, pageOfList, type PageRequest } from '#lib/read-models';
import type { AskedAnswer, Batch } from './batch.script.js';
import { answeredOf, batchOf, type KnownExperiment } from './experiment-view.js';
import type { ExperimentItem } from './experiments.views.js';
import { flipAt } from './report.rules.js';
import type { Flip } from './statistics.js';

/** The filter of the points. */
export interface ItemsFilter {
  /** The variant of `flip`. Default: the first that is not the baseline. */
  readonly variant?: string | undefined;
  readonly flip?: Flip | undefined;
}

/** One page of the points of an experiment, in its order, with their answers. */
export function experimentItems(
  log: EventLog,
  known: KnownExperiment,
  filter: ItemsFilter,
  request: PageRequest,
): Promise<Page<ExperimentItem> | Rejection> {
  const items = new Items(log, known, filter);
  const { experimentId, points } = known.experiment.started;
  const places = [...points.keys()];
  return pageOfList(request, `experiment ${experimentId}`, places, (shown) => items.of(shown));
}

class Items {
  /** The batches of the point before, by id: neighbours share them. */
  #batches: ReadonlyMap<string, Batch | undefined> = new Map();
  readonly #variant: number;

  constructor(
    private readonly log: EventLog,
    private readonly known: KnownExperiment,
    private readonly filter: ItemsFilter,
  ) {
    const { variants, baseline } = answeredOf(known);
    const wanted = filter.variant ?? variants.find((name) => name !== baseline) ?? variants[0] ?? '';
    this.#variant = variants.indexOf(wanted);
  }

  async *of(places: readonly number[]): AsyncGenerator<ExperimentItem | undefined> {
    const asked = answeredOf(this.known);
    for (const place of places) {
      const flip = flipAt(asked, place, this.#variant);
      const isShown = this.filter.flip === undefined || this.filter.flip === flip;
      yield isShown ? await this.#item(place, flip) : undefined;
    }
  }

  async #item(place: number, flip: Flip | undefined): Promise<ExperimentItem | undefined> {
    const { points, variants, samples } = this.known.experiment.started;
    const point = points[place];
    if (!point) return undefined;
    const first = place * variants.length * samples;
    const numbers = Array.from({ length: variants.length * samples }, (_, index) => first + index);
    await this.#read(numbers);
    const { sessionId, roundId, state, transitionName, decidedBy, isHuman } = point;
    const answers = numbers.flatMap((number, index) => {
      const found = this.#answer(number);
      const variant = variants[Math.floor(index / samples)]?.name ?? '';
      return found ? [{ variant, sample: (index % samples) + 1, ...shown(found) }] : [];
    });
    const recorded = { transitionName, decidedBy, isHuman };
    return { sessionId, roundId, state, recorded, answers, ...(flip && { flip }) };
  }

  async #read(numbers: readonly number[]): Promise<void> {
    const read = new Map<string, Batch | undefined>();
    for (const { batchId, from, asks } of this.known.experiment.batches) {
      if (!numbers.some((number) => number >= from && number < from + asks)) continue;
      const held = this.#batches.has(batchId);
      read.set(batchId, held ? this.#batches.get(batchId) : await batchOf(this.log, batchId));
    }
    this.#batches = read;
  }

  #answer(number: number): AskedAnswer | undefined {
    for (const batch of this.#batches.values()) {
      const found = batch?.answers.get(String(number));
      if (found) return found;
    }
    return undefined;
  }
}

/** Ids of steps that are not calls of models. */
const OTHER_CALL = /^(?:strategy|context)#/;

function shown({ answer, runId, calls, result }: AskedAnswer) {
  const { failure: _, ...given } = answer;
  const { metaJson } = 'choice' in result ? result.choice : {};
  return {
    ...given,
    ...(metaJson && { metaJson }),
    ...('failure' in result && { failure: result.failure }),
    callIds: calls.filter((step) => !OTHER_CALL.test(step)).map((step) => callIdOf(runId, step)),
  };
}
