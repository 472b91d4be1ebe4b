import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import {
  below,
  escapePointerToken,
  firstProblem,
  isDeeperThan,
  isJsonObject,
  LISTED_PROBLEMS,
  type Problem,
  reject,
  type Rejection,
  unknownProperty,
  unstorableValue,
} from '#lib/kernel';
import { partOf, problemsWithin } from '../declare/fields.js';
import type { Operation } from '../declare/operation.js';
import { RejectionError } from '../write-side/rejection-error.js';

/** Objects, lists and members of objects of an input together. V8 takes seconds to read objects with many more. */
const MOST_MEMBERS = 25_000;
/** More than a machine may have, and far from exhausting the stack of code that walks the recorded input: such a log could not be read. */
const MOST_LEVELS = 111;
/** Members and items that are counted: a list that holds itself has no end. */
const MOST_COUNTED = 1_048_576;

/**
 * An input as an instance of its operation's class.
 * @throws RejectionError as `readFields`; for too many members or levels, or a value of code that JSON does not have, such as NaN; the
 * `unknown` rejection of a field of the path whose text is not an id
 */
export function readInput({ type, pathNames }: Operation, input: object): InstanceType<Operation['type']> {
  if (!isJsonObject(input)) throw new RejectionError(malformed([{ path: '', message: 'must be an object' }]));
  if (hasTooManyMembers(input)) throw new RejectionError(malformed([TOO_MANY]));
  if (isDeeperThan(input, MOST_LEVELS)) throw new RejectionError(malformed([TOO_DEEP]));
  const message = readFields(type, input, (error) => refuseUnknown(error, pathNames));
  const path = unstorableValue(message);
  if (path !== undefined)
    throw new RejectionError({ ...malformed([{ path, message: WITHOUT_TEXT }]), code: 'malformed-input' });
  return message;
}

/**
 * An object from outside as an instance of a class. Members that the class does not have are problems, also names like `constructor` and
 * `__proto__`, which class-validator's own whitelist lets pass.
 * @param look at each error before the others are reported
 * @throws RejectionError with all problems at once
 */
export function readFields<T extends object>(
  type: new () => T,
  input: object,
  look: (error: ValidationError) => void = () => {},
): T {
  const { message, problems } = checked(type, input, look);
  if (problems.length > 0) throw new RejectionError(malformed(problems));
  return message;
}

function checked<T extends object>(
  type: new () => T,
  input: object,
  look: (error: ValidationError) => void,
): { readonly message: T; readonly problems: readonly Problem[] } {
  const known = fieldsOf(type);
  const members = Object.entries(input).filter(([, value]) => value !== undefined);
  const unknown = members.map(([name]) => name).filter((name) => !known.has(name));
  const message = Object.assign(new type(), Object.fromEntries(members.filter(([name]) => known.has(name))));
  const errors = validateSync(message, { forbidUnknownValues: false });
  for (const error of errors) look(error);
  const ofParts = Object.entries(message).flatMap(([name, value]: [string, unknown]) => {
    const part = partOf(message, name);
    const isRead = part && isJsonObject(value);
    return isRead ? below(`/${escapePointerToken(name)}`, checked(part, value, look).problems) : [];
  });
  const own = errors.flatMap((error) => problemsOf(error));
  return { message, problems: [...unknownMembers(unknown, known), ...own, ...ofParts] };
}

const TOO_MANY: Problem = {
  path: '',
  message: 'has more than 25,000 objects, lists and members of objects',
};

const TOO_DEEP: Problem = { path: '', message: 'must not be nested more than 110 levels deep' };

const WITHOUT_TEXT = 'has no JSON text: it would be stored as null, or not at all';

function hasTooManyMembers(input: object): boolean {
  const open: unknown[] = [input];
  let [members, counted] = [0, 0];
  while (open.length > 0 && members <= MOST_MEMBERS && counted++ <= MOST_COUNTED) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    members += Array.isArray(value) ? 1 : 1 + inner.length;
    for (const one of inner) open.push(one);
  }
  return members > MOST_MEMBERS || counted > MOST_COUNTED;
}

const FIELDS = new WeakMap<new () => object, ReadonlySet<string>>();

/** The names of the fields of a class. Looked up once: class-validator asks all classes of the process whether they are its parents. */
function fieldsOf(type: new () => object): ReadonlySet<string> {
  const known = FIELDS.get(type);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  FIELDS.set(type, names);
  return names;
}

/** The input cannot be read. The first 20 problems are listed. */
export function malformed(problems: readonly Problem[], what = 'the request'): Rejection {
  const why = problems.length > 0 ? firstProblem(problems) : 'it cannot be read';
  const fix = 'Correct the listed problems and send it again';
  return reject('malformed', 'malformed-request', { what, why, fix }, problems.slice(0, LISTED_PROBLEMS));
}

function refuseUnknown(
  { property, value, contexts = {} }: ValidationError,
  pathNames: readonly string[],
): void {
  if (value === undefined || !pathNames.includes(property)) return;
  for (const { unknown } of Object.values(contexts) as { unknown?: (id: string) => Rejection }[]) {
    if (unknown) throw new RejectionError(unknown(String(value).slice(0, 128)));
  }
}

/** @throws RejectionError for the first unknown members, if there are any. @param what the object that has them */
export function refuseMembers(names: readonly string[], known: Iterable<string> = [], what?: string): void {
  if (names.length > 0) throw new RejectionError(malformed(unknownMembers(names, known), what));
}

function unknownMembers(names: readonly string[], known: Iterable<string>): readonly Problem[] {
  return names.map((name, index) => ({
    path: `/${escapePointerToken(name)}`,
    message: unknownProperty(name, index < LISTED_PROBLEMS ? known : []),
  }));
}

/** Rules of types: if one of them is broken, the other rules of the member are not reported. */
const TYPES = ['isInt', 'isNumber', 'isString', 'isBoolean', 'isArray', 'isObject'];

function problemsOf(error: ValidationError, base = ''): Problem[] {
  const { target = {}, property, value, constraints = {}, children = [] } = error;
  const path = `${base}/${escapePointerToken(property)}`;
  const within = problemsWithin(target, property, value);
  if (within.length > 0) return [...below(path, within)];
  const broken = Object.entries(constraints);
  const types = broken.filter(([rule]) => TYPES.includes(rule));
  const own = (types.length > 0 ? types : broken).map(([, message]) => ({
    path,
    message: withoutName(property, message),
  }));
  return [...own, ...children.flatMap((child) => problemsOf(child, path))];
}

/** class-validator's own messages begin with the name that the path has already. */
function withoutName(property: string, message: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}
