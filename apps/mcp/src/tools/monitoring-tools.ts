import { z } from 'zod';
import { specialistId } from '../inputs.js';
import { tool } from '../tool.js';

export const monitoringTools = [
  tool({
    name: 'evaluate_specialist',
    description:
      'Ask a specialist anew about past rounds and compare with what was decided; or, against its record, ask nobody.',
    input: {
      specialistId,
      against: z.enum(['exemplars', 'decisions', 'record']),
      maxRounds: z.int().min(1).max(500).optional(),
    },
    run: (redial, input, options) => redial.evaluations.evaluate(input, options),
  }),
];
