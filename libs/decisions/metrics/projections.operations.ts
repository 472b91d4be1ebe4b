import { Query } from '@nestjs/cqrs';
import {
  answeredBy,
  currentScope,
  input,
  is,
  items,
  Operation,
  readMembers,
  ReadSide,
  view,
} from '#lib/operations';
import { ProjectionRunner, type ProjectionStatus } from '#lib/read-models';

const STATUSES: readonly ProjectionStatus['status'][] = ['live', 'catching-up', 'rebuilding', 'stopped'];

export class ProjectionView extends view({
  name: is.text,
  version: is.whole(),
  position: is.text.orNull.about('The position of the last event that it has folded; null before the first'),
  headPosition: is.text.orNull.about("The position of the log's last event; null while it is empty"),
  lag: is.whole().orNull.about('The number of missing events; null if positions have gaps'),
  status: is.oneOf(STATUSES),
  error: is
    .object<ProjectionStatus['error']>()
    .optional.about(
      'The error that stops it; if it is not stopped, the first event at which rows stand still',
    ),
}) {}

@Operation({
  summary: 'The position of each projection, and the error that stops it',
  http: 'GET /v1/projections',
  mcp: false,
  access: 'viewer',
  answers: { 200: items(ProjectionView) },
})
export class ListProjections extends input(
  Query<{ readonly items: readonly ProjectionView[] }>,
  readMembers,
) {}

/** Waits for late rows only with `minPosition`: operators read this status while a projection is behind. */
export const ListProjectionsHandler = answeredBy(
  ListProjections,
  [ReadSide, ProjectionRunner],
  async (_, reads, projections) => {
    const { minPosition } = currentScope();
    const names = projections.names.filter((name) => !projections.isApart(name));
    await (minPosition === undefined ? reads.settle(names) : reads.waitForOwnWrites(names, minPosition));
    return { items: await projections.status() };
  },
);
