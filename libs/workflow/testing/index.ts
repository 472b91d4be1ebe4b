export { askingFor } from './asking.workflow.js';
export { randomOf } from './faulty-process.js';
export { echoActivity, echoed } from './echo.activity.js';
export { InMemoryLeases } from './in-memory-leases.js';
export { type Kill, killAtEveryAppend, type KilledRun, type KilledStory, playKilled } from './killed-run.js';
export { describeLeasesContract } from './leases.contract.js';
export { call, count, inContext, plainWorkflow } from './plain-workflow.js';
export { RunHistory } from './run-history.js';
export { LEASE_MS, RuntimeSetting, SWEEP_MS } from './runtime-setting.js';
