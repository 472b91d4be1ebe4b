import { z } from 'zod';
import { metaJson, pageInputs } from '../inputs.js';
import { tool } from '../tool.js';

const gateId = z.string().describe('The gate');

export const gateTools = [
  tool({
    name: 'create_gate',
    description:
      'Create a gate: one question, asked again and again. Or its next version where it has changed.',
    input: { gate: z.record(z.string(), z.json()).describe('gateId, prompt, choices, specialists, …') },
    run: (redial, { gate }, options) => redial.createGate(gate, options),
  }),
  tool({
    name: 'invoke_gate',
    description: 'Have a gate decide: everybody is asked at the same time, then the arbiter judges.',
    input: { gateId, metaJson },
    run: (redial, input, options) => redial.invokeGate(input, options),
  }),
  tool({
    name: 'get_gate',
    description: 'A gate as it is.',
    input: { gateId },
    run: (redial, input) => redial.getGate(input.gateId),
  }),
  tool({
    name: 'list_gates',
    description: 'The gates, by id.',
    input: pageInputs,
    run: (redial, input) => redial.listGates(input),
  }),
  tool({
    name: 'delete_gate',
    description: 'Delete a gate: it is neither listed nor invoked any more; what it decided stays.',
    input: { gateId },
    run: (redial, input, options) => redial.deleteGate(input.gateId, options),
  }),
];
