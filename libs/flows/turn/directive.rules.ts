import { type JsonObject, present } from '#lib/kernel';
import type { Directive, GoTo, GoToStep } from '../agent/directive-definition.js';

/** A directive and its source. */
export interface Emitted {
  readonly source: string;
  readonly directive: Directive;
}

/** The position to which a directive leads. */
export type Position =
  | ({ readonly to: 'flow' } & GoTo)
  | ({ readonly to: 'step' } & GoToStep)
  | { readonly to: 'complete'; readonly next?: Directive }
  | { readonly to: 'abort'; readonly reason: string; readonly clearSession: boolean }
  | { readonly to: 'reset'; readonly step?: string; readonly clearData: boolean };

/** The merged directives of one phase of a turn. */
export interface Merged {
  /** The directive with the strongest position. */
  readonly position?: Emitted;
  readonly reply?: string;
  readonly dataUpdate: JsonObject;
  /** The sources of `dataUpdate`, separated by commas. */
  readonly sourcesOfData: string;
  readonly contextUpdate: JsonObject;
  readonly appendPrompt: readonly string[];
  /** Ids without repetitions: the last place counts. */
  readonly injectTools: readonly string[];
  readonly halt: boolean;
}

/** Before or after the model. After it, members for the model are dropped. */
export type Phase = 'before' | 'after';

const RANKS: { readonly [to in Position['to']]: number } = {
  abort: 3,
  complete: 2,
  flow: 1,
  step: 1,
  reset: 0,
};

/**
 * The strongest position counts (abort, complete, goTo or goToStep, reset), of equals the last; the last reply counts; updates
 * are merged in order, also those of directives whose position does not count.
 */
export function mergeDirectives(emitted: readonly Emitted[], phase: Phase): Merged {
  const directives = emitted.map(({ directive }) => directive);
  const position = strongest(emitted);
  const reply = directives.findLast((one) => one.reply !== undefined)?.reply;
  const before = phase === 'before' ? directives : [];
  return {
    ...present({ position, reply }),
    dataUpdate: joined(directives.map((one) => one.dataUpdate)),
    sourcesOfData: emitted.flatMap((one) => (one.directive.dataUpdate ? [one.source] : [])).join(', '),
    contextUpdate: joined(directives.map((one) => one.contextUpdate)),
    appendPrompt: before.flatMap((one) => one.appendPrompt ?? []),
    injectTools: lastOfEach(before.flatMap((one) => one.injectTools ?? [])),
    halt: before.some((one) => one.halt === true),
  };
}

/** `__proto__` is a member like any other. */
function joined(updates: readonly (JsonObject | undefined)[]): JsonObject {
  return updates.reduce<JsonObject>((all, one) => ({ ...all, ...one }), {});
}

function strongest(emitted: readonly Emitted[]): Emitted | undefined {
  const ranked = emitted.flatMap((one) => {
    const position = positionOf(one.directive);
    return position ? [{ one, rank: RANKS[position.to] }] : [];
  });
  const highest = Math.max(...ranked.map(({ rank }) => rank));
  return ranked.findLast(({ rank }) => rank === highest)?.one;
}

/** `reason` of `goTo` and the others is for readers only. */
export function positionOf({ goTo, goToStep, complete, abort, reset }: Directive): Position | undefined {
  if (abort !== undefined) {
    const { reason, clearSession = false } = typeof abort === 'string' ? { reason: abort } : abort;
    return { to: 'abort', reason, clearSession };
  }
  if (complete !== undefined) {
    const next = complete === true ? undefined : complete.next;
    return { to: 'complete', ...(next && { next }) };
  }
  if (goTo !== undefined) return { to: 'flow', ...(typeof goTo === 'string' ? { flow: goTo } : goTo) };
  const target = stepIn(goToStep);
  if (target) return { to: 'step', ...target };
  if (reset === undefined) return undefined;
  const { step, clearData = false } = reset === true ? {} : reset;
  return { to: 'reset', ...(step !== undefined && { step }), clearData };
}

export function stepIn(goToStep: Directive['goToStep']): GoToStep | undefined {
  return typeof goToStep === 'string' ? { step: goToStep } : goToStep;
}

/** The directive without its members for the model, whose turn is over. */
export function withoutModelParts({
  appendPrompt: _,
  injectTools: _tools,
  halt: _halt,
  ...rest
}: Directive): Directive {
  return rest;
}

function lastOfEach(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.lastIndexOf(id) === index);
}
