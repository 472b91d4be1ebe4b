import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { join } from 'node:path';

/**
 * A graph of two nodes on a synchronous checkpointer: the request is durable before the call, and the reply before the decision.
 * @param {{ ask: (body: string) => Promise<string>, body: string, folder: string }} given
 */
export async function start({ ask, body, folder }) {
  const checkpointer = SqliteSaver.fromConnString(join(folder, 'langgraph.sqlite'));
  checkpointer.db.pragma('journal_mode=WAL');
  checkpointer.db.pragma('synchronous=FULL');
  const state = Annotation.Root({ body: Annotation(), reply: Annotation(), decision: Annotation() });
  const graph = new StateGraph(state)
    .addNode('ask', async ({ body: request }) => ({ reply: await ask(request) }))
    .addNode('decide', ({ reply }) => {
      const { choices } = JSON.parse(reply);
      return { decision: choices[0].message.tool_calls[0].function.name };
    })
    .addEdge(START, 'ask')
    .addEdge('ask', 'decide')
    .addEdge('decide', END)
    .compile({ checkpointer });
  let threads = 0;
  return {
    async decide() {
      const configurable = { thread_id: `thread-${threads++}` };
      const { decision } = await graph.invoke({ body }, { configurable, durability: 'sync' });
      return decision;
    },
    async close() {
      checkpointer.db.close();
    },
  };
}
