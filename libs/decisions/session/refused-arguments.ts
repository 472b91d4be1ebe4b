import { firstProblem, type JsonObject, jsonText, type Problem, reject, type Rejection } from '#lib/kernel';
import { type ArgumentError, checkArguments, type TransitionDefinition } from '#lib/decisions/machines';

/**
 * Why arguments that came with a command are refused; `undefined` when they fit, or the transition accepts any. The policy holds for
 * every source: for a person, `reask` is `reject`, and no arguments are `{}`.
 */
export function refusedArguments(
  name: string,
  transition: TransitionDefinition,
  metaJson: JsonObject | undefined,
): Rejection | undefined {
  return (transition.onInvalidArguments ?? 'accept') === 'accept'
    ? undefined
    : unfitArguments(name, transition, metaJson);
}

/** Why arguments do not fit the parameters of a transition, whatever its policy; `undefined` when they fit. */
export function unfitArguments(
  name: string,
  transition: TransitionDefinition,
  metaJson: JsonObject | undefined,
): Rejection | undefined {
  const { errors, count } = checkArguments(transition, metaJson);
  if (count === 0) return undefined;
  const problems = errors.map(problemOf);
  const text = {
    what: `the arguments of transition ${jsonText(name)}`,
    why: firstProblem(problems, count),
    fix: 'Send a metaJson that fits the parameters of the transition',
  };
  return reject('refused', 'invalid-arguments', text, problems);
}

/** A missing member is named in the message: there is no place in `metaJson` to point at. */
function problemOf({ path, keyword, params }: ArgumentError): Problem {
  const asked = Object.values(params).map((value) => jsonText(value));
  return { path: `/metaJson${path}`, message: [`does not fit: ${keyword}`, ...asked].join(' ') };
}
