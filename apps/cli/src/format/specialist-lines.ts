import type { SpecialistRecord, SpecialistVersionRecord } from '#lib/projections';
import { oneLine } from './one-line.js';
import { table } from './table.js';

const columns = [
  { title: 'specialist' },
  { title: 'role' },
  { title: 'machine' },
  { title: 'decides by' },
  { title: '' },
] as const;

const versionColumns = [
  { title: 'version' },
  { title: 'role' },
  { title: 'decides by' },
  { title: 'registered' },
  { title: '' },
] as const;

/** Specialists, one a line. */
export function specialistLines(specialists: readonly SpecialistRecord[]): readonly string[] {
  if (specialists.length === 0) return ['no specialist is registered'];
  const rows = specialists.map((one) => [
    one.specialistId,
    one.role,
    one.machineName,
    oneLine(decidesBy(one), 80),
    one.enabled ? '' : 'disabled',
  ]);
  return table(columns, rows);
}

/** The versions of a specialist, one a line. */
export function specialistVersionLines(versions: readonly SpecialistVersionRecord[]): readonly string[] {
  const rows = versions.map((one) => [
    `${one.version}`,
    one.role,
    oneLine(decidesBy(one), 80),
    one.registeredAt,
    one.current ? 'current' : '',
  ]);
  return table(versionColumns, rows);
}

function decidesBy(specialist: SpecialistRecord): string {
  const { isHuman, modelId, strategyFnName, strategyWebhookUrl, workflow } = specialist;
  if (isHuman) return 'a person';
  if (modelId !== undefined) return `model ${modelId}`;
  if (strategyFnName !== undefined) return `strategy ${strategyFnName}`;
  if (workflow) return `workflow ${workflow.name}`;
  return `webhook ${strategyWebhookUrl ?? '?'}`;
}
