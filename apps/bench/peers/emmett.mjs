import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

/**
 * Two appends to a stream in PostgreSQL: the request before the call, the reply and the decision after it.
 * @param {{ ask: (body: string) => Promise<string>, body: string, postgresUrl: string }} given
 */
export async function start({ ask, body, postgresUrl }) {
  const store = getPostgreSQLEventStore(postgresUrl);
  await store.schema.migrate();
  let streams = 0;
  return {
    async decide() {
      const stream = `decision-${process.pid}-${streams++}`;
      await store.appendToStream(stream, [{ type: 'ModelAsked', data: { body } }]);
      const reply = await ask(body);
      const { choices } = JSON.parse(reply);
      const decision = choices[0].message.tool_calls[0].function.name;
      await store.appendToStream(stream, [
        { type: 'ModelAnswered', data: { reply } },
        { type: 'Decided', data: { decision } },
      ]);
      return decision;
    },
    close: () => store.close(),
  };
}
