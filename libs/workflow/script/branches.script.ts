import type { StepFailed } from './failures.js';
import { type Tried, tried } from './tried.js';
import {
  branched,
  helper,
  here,
  ID,
  isOpen,
  type Open,
  type Place,
  type Script,
  type Steps,
  taken,
} from './script.js';

type ResultOf<One> = One extends Script<infer Result> ? Result : never;

/** The results, each under the key of its script. */
export type Results<Scripts> = { -readonly [Key in keyof Scripts]: ResultOf<Scripts[Key]> };

/** One member: the key of the first script to end, with its result. */
export type First<Scripts> = {
  [Key in keyof Scripts]: { readonly [One in Key]: ResultOf<Scripts[Key]> };
}[keyof Scripts];

/** Scripts by name, or in a list. */
type Several = readonly Script<unknown>[] | { readonly [name: string]: Script<unknown> };

/**
 * Runs scripts side by side, each as far as its own outcomes are recorded, and gives all results. The first failure cancels the open timers, awaits
 * and children, waits for the open calls, and is thrown.
 */
export function all<const Scripts extends Several>(scripts: Scripts): Script<Results<Scripts>> {
  const parts = partsOf(scripts);
  return helper(all, function* () {
    const place = yield* here();
    checkKeys(place, parts);
    const results = yield* branched({ path: place.name('all'), scripts: parts, until: 'all' });
    const values = results.map(({ value }) => value);
    const given = Array.isArray(scripts)
      ? values
      : Object.fromEntries(values.map((value, index) => [parts[index]?.key, value]));
    return given as Results<Scripts>;
  });
}

/** Waits for the first script to end in the log, and gives its name and result. The others are cancelled, so none may make a call. */
export function either<Scripts extends { readonly [name: string]: Open<unknown> }>(
  open: Scripts,
): Script<First<Scripts>> {
  const parts = partsOf(open);
  return helper(either, function* () {
    const place = yield* here();
    checkKeys(place, parts);
    const called = parts.find(({ script }) => !isOpen(script));
    if (called || parts.length === 0)
      place.broken(
        `\`either\` waits for ${called ? `\`${called.key}\`, which may make calls` : 'nothing'}`,
        'Give it timers, signals, people and children; put a call into a child, or limit its own time',
      );
    const [first] = yield* branched({ path: place.name('either'), scripts: parts, until: 'first' });
    return { [parts[first?.index ?? 0]?.key ?? '']: first?.value } as First<Scripts>;
  });
}

/** The result of a script, or the failure of the step that failed in it. Other errors are thrown. */
export function attempt<Result>(script: Script<Result>): Script<Tried<Result, StepFailed>> {
  taken(script);
  return helper(attempt, () => tried(script));
}

/** Names a part of a script. The ids of its steps begin with the name. */
export function block<Result>(name: string, script: Script<Result>): Script<Result> {
  taken(script);
  return helper(block, function* () {
    const place = yield* here();
    return yield* within(place.name('block', name), script);
  });
}

/** Runs a script at a path of its own. */
export function* within<Result>(path: string, script: Script<Result>): Steps<Result> {
  const [only] = yield* branched({ path, scripts: [{ script }], until: 'all' });
  return only?.value as Result;
}

function partsOf(scripts: Several): readonly { readonly key: string; readonly script: Script<unknown> }[] {
  const parts = Object.entries<Script<unknown>>(scripts).map(([key, script]) => ({ key, script }));
  for (const { script } of parts) taken(script);
  return parts;
}

function checkKeys(place: Place, parts: readonly { readonly key: string }[]): void {
  const wrong = parts.find(({ key }) => !ID.test(key));
  if (wrong) place.broken(`the name ${JSON.stringify(wrong.key)} is none`, 'Use letters, digits and _ . : -');
}
