import { z } from 'zod';
import { metaJson, reasoning, roundId, sessionId, specialistId } from '../inputs.js';
import { tool } from '../tool.js';

export const decisionTools = [
  tool({
    name: 'submit_proposal',
    description:
      'Propose a transition; without transitionName the specialist is asked, and its model called.',
    input: {
      sessionId,
      specialistId,
      roundId,
      transitionName: z.string().optional(),
      reasoning,
      metaJson,
      costUSD: z.number().min(0).optional(),
      latencyMsec: z.number().min(0).optional(),
      numInputTokens: z.int().min(0).optional(),
      numOutputTokens: z.int().min(0).optional(),
    },
    run: (redial, input, options) => redial.submitProposal(input, options),
  }),
  tool({
    name: 'get_proposals',
    description: 'The proposals of a session, or of one round of it, in the order they arrived.',
    input: { sessionId, roundId },
    run: (redial, input) => redial.listProposals(input.sessionId, input.roundId),
  }),
  tool({
    name: 'evaluate_consensus',
    description: 'What the arbiter says of the current round as it is. Writes nothing.',
    input: { sessionId },
    run: (redial, input) => redial.evaluateConsensus(input.sessionId),
  }),
  tool({
    name: 'submit_arbitration',
    description:
      'Have the current round decided: by its arbiter, or, with transitionName, by the human specialist who forces it.',
    input: {
      sessionId,
      specialistId: specialistId.optional(),
      roundId,
      transitionName: z.string().optional(),
      reasoning,
      metaJson,
    },
    run: (redial, input, options) => redial.submitArbitration(input, options),
  }),
  tool({
    name: 'execute_transition',
    description: "Execute a transition: an operator's call, without proposals or arbiter.",
    input: { sessionId, transitionName: z.string(), toState: z.string(), roundId, reasoning, metaJson },
    run: (redial, input, options) => redial.executeTransition(input, options),
  }),
];
