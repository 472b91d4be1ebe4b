import type { AgentInput, FlowInput } from '../agent/agent-definition.js';
import { conversationWith, type ScriptedAnswers } from './story.js';

export const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    day: { type: 'string' },
    count: { type: 'integer', minimum: 1 },
  },
};
/** A flow that asks for a name, then for a day. */
export const booking: FlowInput = {
  id: 'booking',
  title: 'Booking',
  requiredFields: ['name', 'day'],
  steps: [
    { id: 'who', prompt: 'Ask for the name', collect: ['name'] },
    { id: 'when', prompt: 'Ask for the day', collect: ['day'] },
  ],
};
export const help: FlowInput = { id: 'help', title: 'Help', steps: [{ id: 'explain', prompt: 'Explain' }] };
/** A conversation with two flows. */
export const clerk = (changes: Partial<AgentInput> = {}) =>
  conversationWith({ schema, flows: [booking, help], ...changes });
/** A conversation with one flow, and others. */
export const one = (flow: Omit<FlowInput, 'id' | 'title'>, more: readonly FlowInput[] = []) =>
  conversationWith({ schema, flows: [{ id: 'only', title: 'Only', ...flow }, ...more] });
/** The answer of the router. */
export const scores = (given: { readonly [flow: string]: number }): ScriptedAnswers => ({
  route: { intent: 'x', scores: given },
});
