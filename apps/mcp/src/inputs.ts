import { z } from 'zod';

/** Inputs that several tools take. */
export const sessionId = z.uuid().describe('The session');
export const machineName = z.string().describe('The machine');
export const specialistId = z.string().describe('The specialist');
export const roundId = z.string().optional().describe('Default: the current round');
export const metaJson = z.record(z.string(), z.json()).optional().describe('A JSON object kept with it');
export const reasoning = z.string().optional();

/** What each tool that writes takes besides its own input. */
export const callInputs = {
  idempotencyKey: z
    .string()
    .optional()
    .describe('The same key with the same input again: the same answer, and nothing new'),
};

/** What each list takes. */
export const pageInputs = {
  limit: z.int().min(1).max(500).optional().describe('Default 50'),
  cursor: z.string().optional().describe('`nextCursor` of the page before'),
};
