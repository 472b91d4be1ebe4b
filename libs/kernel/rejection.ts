import { explain, withoutClass } from './explain.js';

/** The kind of a refusal. The caller's options differ by kind. */
export type RejectionKind =
  /** the input cannot be read */
  | 'malformed'
  /** no known token */
  | 'unauthorized'
  /** the caller may not do this */
  | 'forbidden'
  /** the command names something unknown */
  | 'unknown'
  /** too late, or exists already */
  | 'conflict'
  /** too late for ever */
  | 'gone'
  /** understood, and refused by a rule */
  | 'refused';

/** One problem and its location. `path` is a JSON pointer into the input. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  /** Of a stated property that does not hold: a shortest sequence of steps that violates it. */
  readonly counterexample?: readonly object[];
}

/** Members of a refusal about a task: the first answer; the digest of the wait, and its changed parts; the claim with its end. */
export interface RefusedTask {
  readonly answer?: object;
  readonly digest?: string;
  readonly changed?: object;
  readonly claimedBy?: string;
  readonly claimedUntil?: string;
}

/** A refusal: a value, never thrown by pure code. `message` follows `[ErrorClass] what: why. how to fix.` */
export interface Rejection {
  readonly rejected: RejectionKind;
  /** Stable, in kebab case, for programs. */
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly task?: RefusedTask;
  /** The id of the session, run or conversation that has the key, in a member such as `sessionId`. */
  readonly existing?: { readonly [member: string]: string };
  /** The machines that have the named specialist: the call has to name one of them. */
  readonly machines?: readonly string[];
  /** The nearest revisions of the stream that would be accepted, before and after the refused one. */
  readonly borders?: { readonly before?: number; readonly after?: number };
}

/** The parts of the message of a rejection. */
export interface RejectionText {
  /** Default: the code, in Pascal case. */
  readonly errorClass?: string;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** The most problems that are listed of one input. Callers give the full number in `why`. */
export const LISTED_PROBLEMS = 20;

/** A rejection with its message: `[ErrorClass] what: why. fix.` For malformed input it names the location. Of many problems the first 20 are listed. */
export function reject(
  rejected: RejectionKind,
  code: string,
  text: RejectionText,
  problems: readonly Problem[],
): Rejection;
export function reject(
  rejected: Exclude<RejectionKind, 'malformed'>,
  code: string,
  text: RejectionText,
  problems?: readonly Problem[],
): Rejection;
export function reject(
  rejected: RejectionKind,
  code: string,
  text: RejectionText,
  problems?: readonly Problem[],
): Rejection {
  const { errorClass = classOf(code), what, why, fix } = text;
  const message = explain(errorClass, what, why, fix);
  return problems
    ? { rejected, code, message, problems: problems.slice(0, LISTED_PROBLEMS) }
    : { rejected, code, message };
}

function classOf(code: string): string {
  return code.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The refusal of a definition: malformed if it cannot be read, else refused because it breaks a rule. */
export function invalidDefinition(
  kind: 'machine' | 'gate' | 'agent',
  isMalformed: boolean,
  problems: readonly Problem[],
  text: Pick<RejectionText, 'why' | 'fix'>,
): Rejection {
  const what = `the ${kind} was refused`;
  const code = isMalformed ? `malformed-${kind}` : `invalid-${kind}`;
  const errorText = { errorClass: classOf(`invalid-${kind}`), what, ...text };
  return reject(isMalformed ? 'malformed' : 'refused', code, errorText, problems);
}

/** The problems of a part, with locations in the whole. @param base the JSON pointer to the part */
export function below(base: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ path, message, counterexample }) => ({
    path: `${base}${path}`,
    message,
    ...(counterexample && { counterexample }),
  }));
}

/** The first problem and the number of others: the `why` of an input with several invalid members. */
export function firstProblem(problems: readonly Problem[], count = problems.length): string {
  const [first] = problems;
  const more = count > 1 ? ` (and ${count - 1} more)` : '';
  return `${first?.path || '/'} ${first?.message ?? ''}${more}`;
}

/** The text of a rejection with several problems. */
export function ofProblems(what: string, problems: readonly Problem[]): RejectionText {
  return { what, why: firstProblem(problems), fix: 'Correct the listed problems' };
}

/** Whether a decision was refused. */
export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'rejected' in value;
}

/**
 * A refusal that names the input member that it is about. A refusal that names members already is not changed.
 * @param path the JSON pointer to the member
 */
export function refusedAt(path: string, rejection: Rejection): Rejection {
  if (rejection.problems) return rejection;
  return { ...rejection, problems: [{ path, message: withoutClass(rejection.message) }] };
}
