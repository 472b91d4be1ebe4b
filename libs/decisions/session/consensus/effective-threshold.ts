import { ownMember } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';
import type { ArbiterRef } from './consensus-question.js';
import { builtInThreshold } from './built-in-arbiters.js';

/**
 * The state's threshold, else the machine's, else the arbiter's own, else that of its built-in strategy. `undefined` if the
 * strategy has none, or is not built in.
 */
export function effectiveThreshold(
  machine: MachineDefinition,
  stateName: string,
  arbiter: Pick<ArbiterRef, 'threshold' | 'strategyFnName'>,
): number | undefined {
  return (
    ownMember(machine.states, stateName)?.consensusThreshold ??
    machine.consensusThreshold ??
    arbiter.threshold ??
    builtInThreshold(arbiter)
  );
}
