import { z } from 'zod';
import { machineName, pageInputs, sessionId, specialistId } from '../inputs.js';
import { tool } from '../tool.js';

const DECISIONS = 100;

export const monitoringTools = [
  tool({
    name: 'get_inbox',
    description: 'Sessions that wait for a person, with the proposals before them, oldest first.',
    input: { machineName: machineName.optional(), ...pageInputs },
    run: (redial, input) => redial.monitoring.inbox(input, input),
  }),
  tool({
    name: 'get_collapse_metrics',
    description: 'How far the decisions of a machine have come to need no person, with signals.',
    input: { machineName },
    run: (redial, input) => redial.monitoring.metrics(input.machineName),
  }),
  tool({
    name: 'get_decision_log',
    description: `Executed transitions with what they rested on, newest first, ${DECISIONS} unless a limit is given.`,
    input: {
      machineName: machineName.optional(),
      sessionId: sessionId.optional(),
      how: z.enum(['consensus', 'override', 'operator']).optional(),
      ...pageInputs,
    },
    run: (redial, { limit = DECISIONS, ...input }) => redial.monitoring.decisions(input, { ...input, limit }),
  }),
  tool({
    name: 'get_alignment',
    description: 'How well each proposer of a machine agrees with people, as a scoring rule sees it.',
    input: {
      machineName,
      rule: z.string().optional().describe('`wilson` (default) or `ratio`, with or without `;halfLife=n`'),
    },
    run: (redial, input) => redial.monitoring.alignment(input.machineName, input.rule),
  }),
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
  tool({
    name: 'get_model_statistics',
    description: 'Calls, fallbacks, tokens, latency and cost by model, in all or by day.',
    input: { by: z.enum(['model', 'day']).optional(), machineName: machineName.optional() },
    run: (redial, input) => redial.monitoring.models(input),
  }),
];
