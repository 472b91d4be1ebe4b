import type { Against } from '#lib/evaluation';
import { type Problem, reject } from '#lib/kernel';
import { refuse } from '#lib/operations';

/** The specialist that is evaluated, and the rounds it is compared with. */
export interface EvaluationInput {
  readonly specialistId: string;
  /** The machine that the specialist belongs to. Default: the only one that has this id, or else `machineName`. */
  readonly specialistMachine?: string;
  /** Default: the current version. */
  readonly specialistVersion?: number;
  /** The machine of the rounds. Default: the specialist's. */
  readonly machineName?: string;
  /** `exemplars` and `decisions`: the specialist is asked anew. `record`: what it proposed then is looked at, and nobody is asked. */
  readonly against: Against | 'record';
  /** The last rounds, this many at most: 1 to 500, default 50. */
  readonly maxRounds?: number;
}

/** The most rounds that one evaluation is about. */
const MOST_ROUNDS = 500;
const DEFAULT_ROUNDS = 50;
const AGAINST: readonly string[] = [
  'exemplars',
  'decisions',
  'record',
] satisfies EvaluationInput['against'][];

/** The checked input, with defaults. */
export type CheckedInput = EvaluationInput & Required<Pick<EvaluationInput, 'maxRounds'>>;

/** Code may call with what its types do not allow: none of that enters the log. @throws RejectionError naming all of it */
export function checkedInput(input: EvaluationInput): CheckedInput {
  const { against, maxRounds = DEFAULT_ROUNDS } = input;
  const isCount = Number.isInteger(maxRounds) && maxRounds >= 1 && maxRounds <= MOST_ROUNDS;
  const count = { path: '/maxRounds', message: `is not a whole number from 1 to ${MOST_ROUNDS}` };
  const choice = { path: '/against', message: `is none of ${AGAINST.join(', ')}` };
  const problems = [...(AGAINST.includes(against) ? [] : [choice]), ...(isCount ? [] : [count])];
  return problems.length === 0 ? { ...input, maxRounds } : refuse(malformed(problems));
}

function malformed(problems: readonly Problem[]) {
  const why = problems.map(({ path, message }) => `${path} ${message}`).join(', ');
  const what = 'the call was refused';
  const text = { errorClass: 'MalformedInput', what, why, fix: 'Correct what `errors` lists' };
  return reject('malformed', 'malformed-input', text, problems);
}
