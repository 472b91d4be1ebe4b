export { Erasing } from './erasing.js';
export { isErased } from './is-erased.js';
export { subjectEventDefinitions } from './subject.events.js';
export { subjectsModel } from './subjects.read-model.js';
