export { echoActivity, echoed, failed, type Perform } from './echo.activity.js';
export { call, count, noted, plainWorkflow } from './plain-workflow.js';
export { purchase } from './purchase.workflow.js';
export { type GivenRun, RunHistory } from './run-history.js';
