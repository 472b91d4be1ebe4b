import type { GateDefinition, GateInput } from './gate-definition.js';
import { gateMachine, normalizeGate } from './gate-machine.js';
import { inspectGate } from './inspect-gate.js';
import { type Problem, reject, type Rejection } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import { RejectionError } from '#lib/operations';

/**
 * A gate definition from outside, normalized.
 * @param rules what else has to hold of the machine of a gate that is sound in itself
 * @throws RejectionError with all problems at once: malformed where it cannot be read, refused where it breaks a rule
 */
export function readGate(
  input: unknown,
  rules: (machine: MachineDefinition) => readonly Problem[],
): GateDefinition {
  const errors = inspectGate(input);
  const isMalformed = errors.some(({ kind }) => kind === 'malformed');
  if (errors.length > 0) throw new RejectionError(invalidGate(isMalformed, errors));
  const gate = normalizeGate(input as GateInput);
  const broken = rules(gateMachine(gate));
  if (broken.length > 0) throw new RejectionError(invalidGate(false, broken));
  return gate;
}

function invalidGate(isMalformed: boolean, problems: readonly Problem[]): Rejection {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const why = `${first?.path || '/'} ${first?.message ?? ''}${more}`;
  return reject(
    isMalformed ? 'malformed' : 'refused',
    isMalformed ? 'malformed-gate' : 'invalid-gate',
    { errorClass: 'InvalidGate', what: 'the gate was refused', why, fix: 'Correct what `errors` lists' },
    problems.map(({ path, message }) => ({ path, message })),
  );
}
