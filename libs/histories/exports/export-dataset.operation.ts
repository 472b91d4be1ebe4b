import { Query } from '@nestjs/cqrs';
import { reject, type Rejection } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  input,
  is,
  lines,
  type Lines,
  malformed,
  Operation,
  readMembers,
  ReadModels,
} from '#lib/operations';
import { CONTENT_DATASETS, type Dataset, datasetPages, type DatasetRow } from '#lib/read-models';
import { datasets } from './datasets.js';
import { type ExportFormat, MEDIA_TYPES, type RowWriter, rowWriter } from './written-rows.rules.js';

const FORMATS = Object.keys(MEDIA_TYPES) as ExportFormat[];

@Operation({
  summary: 'All rows of a dataset, as CSV or as JSON lines, as they are read',
  http: 'GET /v1/exports/:dataset',
  mcp: false,
  access: 'viewer',
  answers: { 200: lines(MEDIA_TYPES.jsonl, MEDIA_TYPES.csv) },
})
export class ExportDataset extends input(Query<Lines>, {
  dataset: is.text.about(`One of ${datasets.map(({ name }) => name).join(', ')}`, { example: 'decisions' }),
  format: is.oneOf(FORMATS).optional.about('Default: `jsonl`'),
  from: is.time.optional.about('Only rows at or after this time'),
  to: is.time.optional.about('Only rows before this time'),
  machineName: is.text.optional.about('Only of this machine'),
  metaJson: is.oneOf(['off']).optional.about('`off`: without the facts of sessions'),
  ...readMembers,
}) {}

export const ExportDatasetHandler = answeredBy(
  ExportDataset,
  [ReadModels],
  async ({ dataset: name, format = 'jsonl', metaJson, ...filter }, rows) => {
    const dataset = datasets.find((one) => one.name === name);
    if (!dataset) return unknownDataset(name);
    const source = await rows.source(['sessions']);
    const hasMachines = dataset.parts(source.words).every(({ machine }) => machine !== undefined);
    if (filter.machineName !== undefined && !hasMachines) return withoutMachine(dataset);
    if (source.position !== undefined) currentContext().written.note(source.position);
    const writer = rowWriter(dataset, format, metaJson === 'off' ? ['meta_json'] : []);
    return Object.assign(written(writer, datasetPages(source, dataset, filter)), {
      mediaType: MEDIA_TYPES[format],
    });
  },
);

async function* written(
  { head, lines: linesOf }: RowWriter,
  pages: AsyncIterable<readonly DatasetRow[]>,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  for await (const rows of pages) if (rows.length > 0) yield linesOf(rows);
}

/** The same path with POST exports content. */
function unknownDataset(name: string): Rejection {
  const isContent = CONTENT_DATASETS.some((one) => one === name);
  return reject('unknown', 'unknown-dataset', {
    what: `the dataset ${name.slice(0, 128)}`,
    why: isContent ? 'it is content, not rows' : 'there is none of this name',
    fix: `Name one of ${datasets.map((one) => one.name).join(', ')}; or ${CONTENT_DATASETS.join(' or ')}, which are content: over HTTP by POST`,
  });
}

function withoutMachine({ name }: Dataset): Rejection {
  return malformed([{ path: '/machineName', message: `${name} have no machine` }]);
}
