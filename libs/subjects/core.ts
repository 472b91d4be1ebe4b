export { Erasing } from './erasing.js';
export { contentExportDecider } from './exports/content-export.decider.js';
export { type ContentExported, contentExportEventDefinitions } from './exports/content-export.events.js';
export { recordHistory } from './exports/history-exports.js';
export { isErased } from './is-erased.js';
export { subjectDecider } from './subject.decider.js';
export { subjectEventDefinitions } from './subject.events.js';
export { subjectsModel } from './subjects.read-model.js';
