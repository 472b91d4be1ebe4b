import { type Dataset, datasetsOfCalls, datasetsOfSessions } from '#lib/read-models';
import { runsDataset } from '#lib/runs/runs/core';
import { tasksDataset } from '#lib/tasks/core';

/** The rows for analysts: views, and exports. */
export const datasets: readonly Dataset[] = [
  ...datasetsOfSessions,
  ...datasetsOfCalls,
  tasksDataset,
  runsDataset,
];
