export { echoActivity, echoed, failed, type Perform } from './echo.activity.js';
export { call, count, noted, plainWorkflow } from './plain-workflow.js';
export { purchase } from './purchase.workflow.js';
export { type GivenRun, RunHistory } from './run-history.js';
export { InMemoryLeases } from './in-memory-leases.js';
export { LogRunIndex } from './log-run-index.js';
export { LEASE_MS, RuntimeSetting, SWEEP_MS } from './runtime-setting.js';
export { VirtualTime } from './virtual-time.js';
export { describeLeasesContract, type LeasesSubject } from './leases.contract.js';
