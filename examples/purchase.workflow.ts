// A purchase that a person approves: a tool gives a price, a model advises, a timer reminds, a person decides.
import { askModel, askPerson, callFunction, callTool } from 'redial-engine/workflow';
import { attempt, defineWorkflow, either, RunFails, type SchemaOf, timer } from 'redial-engine/workflow';

// #region workflow
const text = { type: 'string' };
const input: SchemaOf<{ item: string; model: string; tool: string; remindAfter: string }> = {
  type: 'object',
  properties: { item: text, model: text, tool: text, remindAfter: text },
  required: ['item', 'model', 'tool', 'remindAfter'],
};
const schema: SchemaOf<{ approved: boolean }> = {
  type: 'object',
  properties: { approved: { type: 'boolean' } },
  required: ['approved'],
};

/** `RedialModule.forRoot({ workflows: [purchase], functions: { remind } })` */
export const purchase = defineWorkflow('purchase', {
  input,
  uses: ({ model, tool }) => ({ models: [model], tools: [tool], functions: ['remind'] }),
  versions: {
    1: function* ({ input: { item, model, tool, remindAfter } }) {
      const priced = yield* attempt(callTool(tool, { item }));
      if ('failed' in priced) throw new RunFails({ kind: 'no-quote', message: priced.failed.message });
      const quote = priced.value;
      const content = `Is ${JSON.stringify(quote)} a fair price for ${item}? Answer in one sentence.`;
      const advised = yield* attempt(askModel({ model, messages: [{ role: 'user', content }] }));
      const advice = 'value' in advised ? advised.value.content : 'The model gave no advice.';
      const question = { title: `Buy ${item}?`, question: `${JSON.stringify(quote)}. ${advice}`, schema };
      let answer = yield* either({ given: askPerson(question), late: timer(remindAfter) });
      if ('late' in answer) {
        yield* callFunction('remind', { item });
        answer = yield* either({ given: askPerson(question), late: timer('P3D') });
      }
      const approved = 'given' in answer && answer.given.payload.approved;
      return { item, quote, advice, approved };
    },
  },
});
// #endregion
