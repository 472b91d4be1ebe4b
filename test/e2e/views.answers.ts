/** The answers to the questions of docs/views.md in the stories of views. */
export const ANSWERS: { readonly [question: string]: readonly object[] } = {
  'What did the decisions of each machine cost?': [
    { machine_name: 'refunds', transition_name: 'approve', decisions: 1, cost_usd: 0.00044 },
    { machine_name: 'refunds', transition_name: 'escalate', decisions: 1, cost_usd: 0.00048 },
  ],
  'How many decisions need no person, day by day?': [
    { machine_name: 'refunds', day: 'today', decisions: 2, autonomy: 0.5 },
  ],
  'How often do two models disagree about the same round?': [
    { machine_name: 'refunds', one: 'clerk', other: 'second', rounds: 2, disagreements: 1 },
  ],
  'In which states do people override the models?': [
    { machine_name: 'refunds', from_state: 'triage', decisions: 2, overrides: 1 },
  ],
  'How often does each specialist propose what a person then decides?': [
    { specialist_id: 'clerk', rounds: 1, agreement: 0 },
    { specialist_id: 'second', rounds: 1, agreement: 1 },
  ],
  // No arbiter that measures a margin has decided.
  'Which decisions of arbiters were the closest?': [],
  'What does each model cost a day?': [
    {
      day: 'today',
      provider: 'default',
      model: 'gpt-4o-mini',
      calls: 5,
      unpriced_calls: 1,
      cost_usd: 0.00092,
    },
  ],
  'How fast, and how reliable, is each model?': [
    {
      provider: 'default',
      model: 'gpt-4o-mini',
      calls: 5,
      mean_ms: 'number',
      slowest_ms: 'number',
      usable: 0.8,
    },
  ],
  'Where are the sessions?': [
    { machine_name: 'desk', current_state: 'triage', status: 'needs_human', sessions: 1 },
    { machine_name: 'refunds', current_state: 'closed', status: 'done', sessions: 1 },
    { machine_name: 'refunds', current_state: 'review', status: 'open', sessions: 1 },
    { machine_name: 'refunds', current_state: 'triage', status: 'open', sessions: 1 },
  ],
  'Which rounds are open, and how many proposals have they?': [
    { machine_name: 'desk', state: 'triage', rounds: 1, proposals: 0 },
    { machine_name: 'refunds', state: 'review', rounds: 1, proposals: 0 },
    { machine_name: 'refunds', state: 'triage', rounds: 1, proposals: 0 },
  ],
  'What waits for people, and since when?': [
    { kind: 'decision', machine_name: 'desk', tasks: 1, oldest: 'then' },
  ],
  'Which workflows fail, and how?': [
    { workflow: 'solicitation', how: 'completed', runs: 4 },
    { workflow: 'solicitation', how: 'http-error', runs: 1 },
  ],
};
