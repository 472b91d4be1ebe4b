import { useQuery } from '@tanstack/react-query';
import type { ForkSessionInput, Session, Specialist } from '#lib/client';
import { useAddress } from '../app/address.js';
import { server } from '../data/server.js';
import { ForkButtons, type ForkValue } from '../forks/fork-buttons.js';
import type { Field } from '../forms/fields.js';

const MOST = 500;
const CASE: Field = { name: 'metaJson', label: 'Case', kind: 'json', isNeeded: false };

/** A fork after the selected event of the session, else after the revision that is shown. */
export function ForkSession({ session }: { readonly session: Session }) {
  const { sessionId, machineName, metaJson, revision } = session;
  const { event } = useAddress();
  const specialists = useQuery({
    queryKey: ['machines', machineName, 'specialists'],
    queryFn: () => server().listSpecialists({ machineName, limit: MOST }),
  });
  const asked = (specialists.data?.items ?? []).filter(({ role, modelId }) => role === 'proposer' && modelId);
  const models = Object.fromEntries(
    asked.map(({ specialistId, modelId }) => [modelField(specialistId), modelId]),
  );
  const begun: ForkValue = { ...models, metaJson };
  const fork = async (value: ForkValue) => {
    const { sessionId: id } = await server().forkSession(inputOf(sessionId, asked, begun, value));
    return `/sessions/${id}`;
  };
  const atRevision = revisionIn(event, sessionId) ?? revision;
  const fields = [...asked.map(({ specialistId }) => fieldOf(specialistId)), CASE];
  return <ForkButtons key={atRevision} fields={fields} begun={begun} atRevision={atRevision} fork={fork} />;
}

function modelField(specialistId: string): string {
  return `model ${specialistId}`;
}

function fieldOf(specialistId: string): Field {
  return { name: modelField(specialistId), label: `Model of ${specialistId}`, kind: 'text', isNeeded: false };
}

/** The revision of the selected event, if it is of the session itself and not of a run. */
function revisionIn(event: string | undefined, sessionId: string): number | undefined {
  const [stream, revision] = event?.split('@') ?? [];
  return stream?.endsWith(`session-${sessionId}`) && revision !== undefined ? Number(revision) : undefined;
}

/** Values that were left as they are make no override. */
function inputOf(
  sessionId: string,
  asked: readonly Specialist[],
  begun: ForkValue,
  value: ForkValue,
): ForkSessionInput {
  const { atRevision, metaJson, effects, reason } = value as Omit<ForkSessionInput, 'sessionId'> & {
    readonly metaJson?: object;
  };
  const changed = asked.flatMap(({ specialistId }) => {
    const modelId = value[modelField(specialistId)];
    const isOther = typeof modelId === 'string' && modelId !== begun[modelField(specialistId)];
    return isOther ? [[specialistId, { modelId }] as const] : [];
  });
  const overrides = {
    ...(changed.length > 0 && { specialists: Object.fromEntries(changed) }),
    ...(metaJson !== undefined &&
      JSON.stringify(metaJson) !== JSON.stringify(begun['metaJson']) && { metaJson }),
  };
  return {
    sessionId,
    atRevision,
    ...(Object.keys(overrides).length > 0 && { overrides }),
    ...(effects && { effects }),
    ...(reason && { reason }),
  };
}
