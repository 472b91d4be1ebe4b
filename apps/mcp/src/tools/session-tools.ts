import { z } from 'zod';
import { machineName, metaJson, pageInputs, sessionId } from '../inputs.js';
import { tool } from '../tool.js';

const machine = {
  machineName: machineName.optional(),
  machineVersion: z.int().min(1).optional(),
  machine: z.record(z.string(), z.json()).optional().describe('A definition, instead of a name'),
  metaJson,
};
const maxTicks = z.int().min(1).max(10_000).optional().describe('Steps at most');

export const sessionTools = [
  tool({
    name: 'create_session',
    description: 'Start a session: one run of a machine.',
    input: machine,
    run: (redial, input, options) => redial.createSession(input, options),
  }),
  tool({
    name: 'get_session',
    description: 'A session as it is: state, round, status, history, machine.',
    input: { sessionId },
    run: (redial, input) => redial.getSession(input.sessionId),
  }),
  tool({
    name: 'get_sessions',
    description: 'Sessions, newest first.',
    input: {
      machineName: machineName.optional(),
      currentState: z.string().optional(),
      status: z.enum(['open', 'needs_human', 'done']).optional(),
      ...pageInputs,
    },
    run: (redial, input) => redial.listSessions(input, input),
  }),
  tool({
    name: 'tick_session',
    description: 'One step of a session: somebody is asked, the round is decided, or a person is needed.',
    input: { sessionId },
    run: (redial, input, options) => redial.tickSession(input.sessionId, options),
  }),
  tool({
    name: 'run_session',
    description: 'Start a session, or go on with one, and step until it is at rest or needs a person.',
    input: { sessionId: sessionId.optional(), ...machine, maxTicks },
    run: (redial, { sessionId: id, ...input }, options) =>
      id === undefined ? redial.runSession(input, options) : redial.driveSession(id, input.maxTicks, options),
  }),
];
