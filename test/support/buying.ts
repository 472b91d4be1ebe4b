/** A machine in which a person alone decides. */
export const buying = {
  machineName: 'buying',
  initialState: 'asked',
  goalState: 'paid',
  states: { asked: { transitions: { pay: 'paid' } }, paid: {} },
  specialists: [{ role: 'proposer', specialistId: 'ann', isHuman: true }],
};
