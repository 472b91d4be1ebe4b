import { IsIn, IsString } from 'class-validator';
import { reject, type Rejection } from '#lib/kernel';
import {
  answeredBy,
  currentContext,
  Describe,
  IsTime,
  lines,
  type Lines,
  malformed,
  Operation,
  Optional,
  ReadModels,
  ReadQuery,
} from '#lib/operations';
import { type Dataset, datasetPages, type DatasetRow } from '#lib/read-models';
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
export class ExportDataset extends ReadQuery<Lines> {
  @Describe(`One of ${datasets.map(({ name }) => name).join(', ')}`, { example: 'decisions' })
  @IsString()
  dataset!: string;

  @Describe('Default: `jsonl`')
  @Optional()
  @IsIn(FORMATS)
  format?: ExportFormat;

  @Describe('Only what is at or after this time')
  @Optional()
  @IsTime()
  from?: string;

  @Describe('Only what is before this time')
  @Optional()
  @IsTime()
  to?: string;

  @Describe('Only of this machine')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('`off`: without the facts of sessions')
  @Optional()
  @IsIn(['off'])
  metaJson?: 'off';
}

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

function unknownDataset(name: string): Rejection {
  return reject('unknown', 'unknown-dataset', {
    what: `the dataset ${name.slice(0, 128)}`,
    why: 'there is none of this name',
    fix: `Name one of ${datasets.map((one) => one.name).join(', ')}`,
  });
}

function withoutMachine({ name }: Dataset): Rejection {
  return malformed([{ path: '/machineName', message: `${name} have no machine` }]);
}
