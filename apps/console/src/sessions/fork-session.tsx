import { useQuery } from '@tanstack/react-query';
import type { ForkOverrides, Session, Specialist } from '#lib/client';
import { useAddress } from '../app/address.js';
import { server } from '../data/server.js';
import { ForkButtons } from '../forks/fork-buttons.js';
import {
  AT_REVISION,
  changedOf,
  forkRequest,
  type ForkValue,
  selectedRevision,
} from '../forks/fork-value.js';
import type { Field } from '../forms/fields.js';

const MOST = 500;
const CASE: Field = { name: 'metaJson', label: 'Case', kind: 'json', isNeeded: false };

/** A fork after the selected event of the session, else after the shown revision. */
export function ForkSession({ session }: { readonly session: Session }) {
  const { sessionId, machineName, metaJson, revision } = session;
  const { event } = useAddress();
  const specialists = useQuery({
    queryKey: ['machines', machineName, 'specialists'],
    queryFn: () => server().listSpecialists({ machineName, limit: MOST }),
  });
  const asked = (specialists.data?.items ?? []).filter(({ role, modelId }) => role === 'proposer' && modelId);
  const models = asked.map(({ specialistId, modelId }) => [modelField(specialistId), modelId]);
  const atRevision = selectedRevision(event, sessionId) ?? revision;
  const begun: ForkValue = { ...Object.fromEntries(models), metaJson, atRevision };
  const fork = async (value: ForkValue) => {
    const request = forkRequest(value, overridesOf(asked, begun, value));
    const at = value['atRevision'] as number;
    return `/sessions/${(await server().forkSession({ sessionId, atRevision: at, ...request })).sessionId}`;
  };
  const fields = [...asked.map(({ specialistId }) => fieldOf(specialistId)), CASE];
  return <ForkButtons at={AT_REVISION} fields={fields} begun={begun} fork={fork} />;
}

function modelField(specialistId: string): string {
  return `model ${specialistId}`;
}

function fieldOf(specialistId: string): Field {
  return { name: modelField(specialistId), label: `Model of ${specialistId}`, kind: 'text', isNeeded: false };
}

function overridesOf(asked: readonly Specialist[], begun: ForkValue, value: ForkValue): ForkOverrides {
  const specialists = asked.flatMap(({ specialistId }) => {
    const [modelId] = Object.values(changedOf(begun, value, [modelField(specialistId)]));
    return modelId === undefined ? [] : [[specialistId, { modelId }] as const];
  });
  return {
    ...(specialists.length > 0 && { specialists: Object.fromEntries(specialists) }),
    ...changedOf(begun, value, ['metaJson']),
  };
}
