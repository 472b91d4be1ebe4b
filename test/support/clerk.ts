/** An agent with one flow, which asks for a name and a day. */
export const clerk = {
  agentName: 'clerk',
  model: 'gpt-4o-mini',
  modelParameters: { temperature: 0 },
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, day: { type: 'string' } },
  },
  flows: [
    {
      id: 'booking',
      title: 'Booking',
      requiredFields: ['name', 'day'],
      steps: [
        { id: 'who', prompt: 'Ask for the name', collect: ['name'] },
        { id: 'when', prompt: 'Ask for the day', collect: ['day'] },
      ],
    },
  ],
};
