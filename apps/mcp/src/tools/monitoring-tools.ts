import { z } from 'zod';
import { machineName, pageInputs, sessionId } from '../inputs.js';
import { tool } from '../tool.js';

const DECISIONS = 100;

export const monitoringTools = [
  tool({
    name: 'get_inbox',
    description: 'Sessions that wait for a person, with the proposals before them, oldest first.',
    input: { machineName: machineName.optional(), ...pageInputs },
    readOnly: true,
    run: (redial, input) => redial.monitoring.inbox(input, input),
  }),
  tool({
    name: 'get_collapse_metrics',
    description: 'How far the decisions of a machine have come to need no person, with signals.',
    input: { machineName },
    readOnly: true,
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
    readOnly: true,
    run: (redial, { limit = DECISIONS, ...input }) => redial.monitoring.decisions(input, { ...input, limit }),
  }),
  tool({
    name: 'get_alignment',
    description: 'How well each proposer of a machine agrees with people, as a scoring rule sees it.',
    input: {
      machineName,
      rule: z.string().optional().describe('`wilson` (default) or `ratio`, with or without `;halfLife=n`'),
    },
    readOnly: true,
    run: (redial, input) => redial.monitoring.alignment(input.machineName, input.rule),
  }),
  tool({
    name: 'get_model_statistics',
    description: 'Calls, fallbacks, tokens, latency and cost by model, in all or by day.',
    input: { by: z.enum(['model', 'day']).optional(), machineName: machineName.optional() },
    readOnly: true,
    run: (redial, input) => redial.monitoring.models(input),
  }),
];
