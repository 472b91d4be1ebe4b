import { analysts, manyDecisions } from './benchmarks/analysts.js';
import { appendConcurrent64 } from './benchmarks/append-concurrent-64.js';
import { appendSequential } from './benchmarks/append-sequential.js';
import { bytes } from './benchmarks/bytes.js';
import { bytesOfDecision } from './benchmarks/bytes-decision.js';
import { bytesOfSession } from './benchmarks/bytes-session.js';
import { codeBeside, codeCalls, codeOverhead, codePaused } from './benchmarks/code.js';
import { compile } from './benchmarks/compile.js';
import { longConversation, manyConversations } from './benchmarks/conversations.js';
import { consolePages } from './benchmarks/console.js';
import { cycleDrive } from './benchmarks/cycle-drive.js';
import { cycleLatency } from './benchmarks/cycle-latency.js';
import { cycleMemory } from './benchmarks/cycle-memory.js';
import { cycleRun } from './benchmarks/cycle-run.js';
import { decision } from './benchmarks/decision.js';
import { eventStoreDbAppend } from './benchmarks/eventstoredb-append.js';
import { eventStoreDbDecision } from './benchmarks/eventstoredb-decision.js';
import { eventStoreDbRead } from './benchmarks/eventstoredb-read.js';
import { experiment } from './benchmarks/experiment.js';
import { firstDelta } from './benchmarks/first-delta.js';
import { eventStreams } from './benchmarks/event-streams.js';
import { httpAdds } from './benchmarks/http-adds.js';
import { httpGetSession } from './benchmarks/http-get-session.js';
import { loadAndFold100 } from './benchmarks/load-and-fold-100.js';
import { logSize } from './benchmarks/log-size.js';
import { longLog } from './benchmarks/long-log.js';
import { longSession } from './benchmarks/long-session.js';
import { openTasks } from './benchmarks/open-tasks.js';
import { project50000 } from './benchmarks/project-50000.js';
import { peers } from './benchmarks/peers.js';
import { projectOnPostgres } from './benchmarks/project-on-postgres.js';
import { record } from './benchmarks/record.js';
import { replay } from './benchmarks/replay.js';
import { replayJobs } from './benchmarks/replay-jobs.js';
import { simulation } from './benchmarks/simulation.js';
import { start } from './benchmarks/start.js';
import { stateAt } from './benchmarks/state-at.js';
import { twoProviders } from './benchmarks/two-providers.js';
import { waitingRuns } from './benchmarks/waiting-runs.js';
import { walk } from './benchmarks/walk.js';
import type { Benchmark } from './comparison.js';

/** In the order they run. */
export const benchmarks: readonly Benchmark[] = [
  appendSequential,
  appendConcurrent64,
  project50000,
  loadAndFold100,
  replay,
  stateAt,
  compile,
  bytes,
  httpGetSession,
  decision,
  httpAdds,
  firstDelta,
  twoProviders,
  bytesOfDecision,
  bytesOfSession,
  record,
  walk,
  longSession,
  longLog,
  openTasks,
  waitingRuns,
  eventStreams,
  analysts,
  manyDecisions,
  experiment,
  simulation,
  consolePages,
  replayJobs,
  logSize,
  longConversation,
  manyConversations,
  codeOverhead,
  codeCalls,
  codePaused,
  codeBeside,
  start,
  cycleRun,
  cycleDrive,
  cycleLatency,
  cycleMemory,
  eventStoreDbAppend,
  eventStoreDbRead,
  eventStoreDbDecision,
  projectOnPostgres,
  peers,
];
