import type { Json } from '#lib/kernel';
import type { Rules, Workflow } from '#lib/workflow';

interface Approval {
  readonly input: Json;
  readonly decision?: Json;
}

const decision = {
  type: 'object',
  properties: { approved: { type: 'boolean' } },
  required: ['approved'],
  additionalProperties: false,
};

const rules: Rules<Approval> = {
  input: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  initialState: ({ data }) => ({ input: data.input }),
  evolve: (state, { type, data }) =>
    type === 'SignalReceived' ? { ...state, decision: (data as { payload: Json }).payload } : state,
  next: (state) => {
    if (state.decision !== undefined) return [{ do: 'end', result: state.decision }];
    return [{ do: 'await', id: 'approval', signal: 'approval', schema: decision, prompt: state.input }];
  },
};

/** Waits for one approval and ends with it. */
export const approval: Workflow<Approval> = { name: 'approval', versions: { 1: rules } };
