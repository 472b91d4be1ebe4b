// Dunning: an invoice is sent, two reminders follow after two weeks each, then a person decides whether it is written off.
import {
  askPerson,
  callFunction,
  defineWorkflow,
  either,
  type SchemaOf,
  signal,
  timer,
} from 'redial-engine/workflow';

// #region workflow
const input: SchemaOf<{ invoice: string }> = {
  type: 'object',
  properties: { invoice: { type: 'string' } },
  required: ['invoice'],
};
const decision: SchemaOf<{ writeOff: boolean }> = {
  type: 'object',
  properties: { writeOff: { type: 'boolean' } },
  required: ['writeOff'],
};

/** `RedialModule.forRoot({ workflows: [dunning], functions: { mail } })`; the bank sends the signal `paid`. */
export const dunning = defineWorkflow('dunning', {
  input,
  uses: { functions: ['mail'] },
  versions: {
    1: function* ({ input: { invoice } }) {
      for (const letter of ['invoice', 'reminder', 'last reminder']) {
        yield* callFunction('mail', { invoice, letter });
        const heard = yield* either({ paid: signal('paid'), late: timer('P14D') });
        if ('paid' in heard) return { invoice, ended: 'paid', after: letter };
      }
      const question = { title: `Write off ${invoice}?`, schema: decision, dueIn: 'P3D' } as const;
      const { payload, by } = yield* askPerson(question);
      return { invoice, ended: payload.writeOff ? 'written off' : 'to court', by };
    },
  },
});
// #endregion
