import { z } from 'zod';
import { machineName } from '../inputs.js';
import { tool } from '../tool.js';

export const machineTools = [
  tool({
    name: 'define_machine',
    description:
      'Define a state machine, or its next version where it has changed, and register the specialists it declares.',
    input: { machine: z.record(z.string(), z.json()).describe('A machine definition') },
    run: (redial, { machine }, options) => redial.defineMachine(machine, options),
  }),
  tool({
    name: 'get_machine',
    description: 'A machine as it is defined; the latest version, unless another is asked for.',
    input: { machineName, version: z.int().min(1).optional() },
    run: (redial, given) => redial.getMachine(given.machineName, given.version),
  }),
];
