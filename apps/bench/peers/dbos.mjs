import { DBOS } from '@dbos-inc/dbos-sdk';

/**
 * A workflow of one step, recorded in PostgreSQL: its input before the call, the reply after it, then the decision.
 * @param {{ ask: (body: string) => Promise<string>, body: string, postgresUrl: string }} given
 */
export async function start({ ask, body, postgresUrl }) {
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: postgresUrl, runAdminServer: false, logLevel: 'error' });
  const workflow = DBOS.registerWorkflow(
    async (request) => {
      const reply = await DBOS.runStep(() => ask(request), { name: 'ask' });
      const { choices } = JSON.parse(reply);
      return choices[0].message.tool_calls[0].function.name;
    },
    { name: 'decide' },
  );
  await DBOS.launch();
  return { decide: () => workflow(body), close: () => DBOS.shutdown() };
}
