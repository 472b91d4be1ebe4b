import { Logger, type Provider } from '@nestjs/common';
import { ActivityRegistry } from '#lib/activity';
import { EventLog } from '#lib/event-store';
import { WorkflowRuntime } from '#lib/workflow';
import { randomIds, systemClock } from '#lib/kernel';
import { CommandWriter, ReadSide } from '#lib/operations';
import { type ReadStore, StoredLeases } from '#lib/projections';
import { Arbitrations } from '../arbitrations/arbitrations.js';
import { construct, factory } from '../module/provide.js';
import { READ_STORE } from '../module/read-store.token.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { Solicitor } from '../solicitations/solicitor.js';
import { Proposers } from '../specialists/proposers.js';
import { Driver } from './driver.js';
import { OpenSessions } from './open-sessions.js';
import { Participants } from './participants.js';
import { SessionLoop } from './session-loop.js';
import { Ticker } from './ticker.js';
import { ReinstatementRule } from './reinstatement-rule.js';

/** The providers that drive sessions. */
export const processManagerProviders: readonly Provider[] = [
  construct(Participants, [ReadSide, READ_STORE]),
  construct(Arbitrations, [EventLog, CommandWriter, WorkflowRuntime, ActivityRegistry]),
  construct(ReinstatementRule, [CommandWriter]),
  construct(OpenSessions, [ReadSide, READ_STORE]),
  construct(SessionLoop, [
    EventLog,
    CommandWriter,
    Participants,
    Proposers,
    Solicitor,
    Arbitrations,
    ReinstatementRule,
  ]),
  construct(Ticker, [SessionLoop, Solicitor, Arbitrations]),
  factory(
    Driver,
    [OpenSessions, Ticker, SessionLoop, READ_STORE, EngineSettings],
    async (
      sessions: OpenSessions,
      ticker: Ticker,
      loop: SessionLoop,
      store: ReadStore,
      { runner, driver }: EngineSettings,
    ) => {
      const leases = await StoredLeases.open(store, systemClock);
      const logger = new Logger('Driver');
      return new Driver(
        sessions,
        ticker,
        loop,
        leases,
        runner,
        driver,
        systemClock,
        randomIds,
        (id, error) => {
          logger.warn(
            `session ${id} is not driven on: ${error instanceof Error ? error.message : String(error)}`,
          );
        },
      );
    },
  ),
];
