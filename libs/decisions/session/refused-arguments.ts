import { firstProblem, type JsonObject, jsonText, type Problem, reject, type Rejection } from '#lib/kernel';
import { type ArgumentError, checkArguments, type TransitionDefinition } from '#lib/decisions/machines';

/**
 * The rejection of a command's arguments; `undefined` if they fit, or the transition accepts any. The policy holds for every
 * source: for a person, `reask` is `reject`, and absent arguments are `{}`.
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

/** The rejection of arguments that do not fit a transition's parameters, whatever its policy; `undefined` if they fit. */
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

/** A missing member is named in the message: `metaJson` has no place for a pointer. */
function problemOf({ path, keyword, params }: ArgumentError): Problem {
  const asked = Object.values(params).map((value) => jsonText(value));
  return { path: `/metaJson${path}`, message: [`does not fit: ${keyword}`, ...asked].join(' ') };
}
