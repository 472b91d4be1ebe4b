/** The smallest machine that asks a model. */
export const door = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  specialists: [
    {
      role: 'proposer',
      specialistId: 'doorman',
      contextTemplate: 'Somebody knocks.',
      modelId: 'gpt-4o-mini',
    },
  ],
  states: { closed: { transitions: { push: { target: 'open', description: 'Open it' } } }, open: {} },
};
