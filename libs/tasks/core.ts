export { canonicalText, digestOf } from './digest.js';
export { type TaskEvent, taskEventDefinitions } from './task.events.js';
export {
  type TakenAnswer,
  type TaskChoice,
  type TaskFamily,
  type TaskOwner,
  type TaskPerson,
  type WaitingThing,
} from './task.family.js';
export { taskAnswered, taskGone } from './task.rejections.js';
export { tasksModel } from './tasks.read-model.js';
export { Tasks } from './tasks.js';
