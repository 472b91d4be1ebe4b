import { Command } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { derivedId, reject } from '#lib/kernel';
import {
  answeredBy,
  authorOf,
  checkKeyIn,
  CommandWriter,
  currentContext,
  input,
  is,
  lines,
  type Lines,
  Operation,
  ReadModels,
} from '#lib/operations';
import { CONTENT_DATASETS, type ContentFilter } from '#lib/read-models';
import { contentExportDecider, type ContentExported } from '#lib/subjects/core';
import { contentOfRounds, countOfRounds } from './content-of-rounds.js';
import { MEDIA_TYPES } from './written-rows.rules.js';

@Operation({
  summary: 'Decisions of people as a file to train models with; the export is recorded before it is sent',
  http: 'POST /v1/exports/:dataset',
  mcp: false,
  access: 'operator',
  answers: { 200: lines(MEDIA_TYPES.jsonl) },
})
export class ExportContent extends input(Command<Lines>, {
  dataset: is.text.about(
    "`training`: chats of the rounds that people decided; `preferences`: pairs of a person's decision and a model's proposal that it overrode",
    { example: 'training' },
  ),
  from: is.time.optional.about('Only decisions at or after this time'),
  to: is.time.optional.about('Only decisions before this time'),
  machineName: is.text.optional.about('Only of this machine'),
}) {}

/** A repeated key sends the same rounds again, without those of subjects erased since. */
export const ExportContentHandler = answeredBy(
  ExportContent,
  [ReadModels, EventLog, CommandWriter],
  async ({ dataset: name, ...range }, rows, log, writer) => {
    const dataset = CONTENT_DATASETS.find((one) => one === name);
    if (dataset === undefined) return unknownDataset(name);
    const context = currentContext();
    const exportId = derivedId(context.commandId, 'export');
    const history = await log.load<ContentExported>(log.streams.of('export', exportId));
    const [before] = checkKeyIn(history, context);
    const { db, position } = await rows.source(
      ['sessions'],
      before?.data.position ?? (await log.store.head()),
    );
    if (before) context.written.note(before.position);
    // No decision has an empty position: an export of a log without events stays empty.
    const upTo = (last = ''): ContentFilter => ({ dataset, ...range, position: last });
    const record = async () => {
      const rounds = await countOfRounds(db, upTo(position));
      const of = { exportId, dataset, by: authorOf(context), ...range, rounds };
      const data = { ...of, ...(position !== undefined && { position }) };
      const target = { category: 'export', id: exportId } as const;
      return (await writer.send(contentExportDecider, target, { type: 'RecordExport', data }, context)).state;
    };
    // Another process may have recorded the same key first, with another position.
    const recorded = before?.data ?? (await record());
    // Concurrent calls with the same key share this answer, and each reads all of it.
    return { [Symbol.asyncIterator]: () => contentOfRounds({ db, log }, upTo(recorded?.position)) };
  },
);

function unknownDataset(name: string) {
  return reject('unknown', 'unknown-dataset', {
    what: `the dataset ${name.slice(0, 128)}`,
    why: 'no content is exported under this name',
    fix: `Name one of ${CONTENT_DATASETS.join(', ')}; GET exports rows`,
  });
}
