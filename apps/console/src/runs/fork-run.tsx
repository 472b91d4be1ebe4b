import type { RunView } from '#lib/client';
import { useAddress } from '../app/address.js';
import { server } from '../data/server.js';
import { ForkButtons } from '../forks/fork-buttons.js';
import {
  AT_REVISION,
  changedOf,
  forkRequest,
  type ForkValue,
  MODEL_FIELDS,
  selectedRevision,
} from '../forks/fork-value.js';
import type { Field } from '../forms/fields.js';

const FIELDS: readonly Field[] = [
  ...MODEL_FIELDS,
  { name: 'input', label: 'Input', kind: 'json', isNeeded: false },
];
const NAMES = FIELDS.map(({ name }) => name);

/** A fork after the selected event of the run, else after the shown revision. */
export function ForkRun({ run: { runId, input, revision } }: { readonly run: RunView }) {
  const { event } = useAddress();
  const atRevision = selectedRevision(event, runId) ?? revision;
  const begun: ForkValue = { input, atRevision };
  const fork = async (value: ForkValue) => {
    const request = forkRequest(value, changedOf(begun, value, NAMES));
    const at = value['atRevision'] as number;
    return `/runs/${(await server().forkRun({ runId, atRevision: at, ...request })).runId}`;
  };
  return <ForkButtons at={AT_REVISION} fields={FIELDS} begun={begun} fork={fork} />;
}
