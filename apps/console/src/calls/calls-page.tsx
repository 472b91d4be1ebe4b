import type { ListLlmCallsInput } from '#lib/client';
import { useAddress } from '../app/address.js';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { Filters, SelectFilter, TextFilter } from '../parts/filters.js';
import { listOutside } from '../parts/outside-the-browser.js';
import { Page } from '../parts/page.js';
import { CallsTable } from './calls-table.js';

const OUTCOMES = ['toolCall', 'decision', 'noToolCall', 'unreadable', 'failed', 'erased', 'pending'];

export function CallsPage() {
  const { outcome, model, machineName, specialistId, idPrefix } = useAddress();
  const filter = { outcome, model, machineName, specialistId, idPrefix };
  const list = usePages(['calls', filter], (page) =>
    server().listLlmCalls({ ...(filter as ListLlmCallsInput), ...page }),
  );
  const options = {
    outcome,
    model,
    machine: machineName,
    specialist: specialistId,
    'id-prefix': idPrefix,
  };
  return (
    <Page title="Calls" outside={listOutside('/llm-calls', ['llm-calls'], filter, options)}>
      <Filters>
        <SelectFilter name="outcome" label="Outcome" options={OUTCOMES} />
        <TextFilter name="model" label="Model" />
        <TextFilter name="machineName" label="Machine" />
        <TextFilter name="specialistId" label="Specialist" />
        <TextFilter name="idPrefix" label="Id begins with" />
      </Filters>
      <CallsTable list={list} />
    </Page>
  );
}
