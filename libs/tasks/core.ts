export { digestOf } from './digest.js';
export { closedChoice } from './wait-choices.js';
export { type AnsweredTurns, RunTasks } from './run-tasks.js';
export {
  clockAfter,
  escalationsIn,
  type ClockEvent,
  escalatedBy,
  ofTasks,
  type TimesShown,
} from './due-times/clock-events.js';
export { RunningClocks } from './due-times/running-clocks.js';
export { clockOfSession } from './due-times/clock-of-session.js';
export { type Clock, type Moved } from './due-times/clock.rules.js';
export { dueTimesRequests } from './due-times/due-times-requests.js';
export { dueTimesEventDefinitions } from './due-times/due-times.events.js';
export { dueTimes } from './due-times/due-times.workflow.js';
export { type TaskEvent, taskEventDefinitions } from './task.events.js';
export {
  type TakenAnswer,
  type TaskFamily,
  type RoundOwner,
  type TaskOwner,
  type WaitOwner,
  type TaskPerson,
  type WaitingThing,
} from './task.family.js';
export { taskAnswered, taskGone } from './task.rejections.js';
export type { TaskChoiceView } from './tasks.views.js';
export { tasksDataset } from './tasks.dataset.js';
export { tasksModel } from './tasks.read-model.js';
export { hasWaitingRun, withWaitingRun } from './waiting-sessions.js';
export { Tasks } from './tasks.js';
export { waitKind } from './run-task.rules.js';
