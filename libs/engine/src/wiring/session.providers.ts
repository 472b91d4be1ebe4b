import { Logger, type Provider } from '@nestjs/common';
import { ActivityRegistry } from '#lib/activity';
import { EventLog } from '#lib/event-store';
import { WorkflowRuntime } from '#lib/workflow';
import { randomIds, systemClock } from '#lib/kernel';
import { CommandWriter, READ_STORE, ReadSide } from '#lib/operations';
import { type ReadStore, StoredLeases } from '#lib/projections';
import {
  Arbitrations,
  Driver,
  OpenSessions,
  Participants,
  Proposers,
  ReinstatementRule,
  SessionLoop,
  Solicitor,
  Ticker,
} from '#lib/sessions';
import { construct, factory } from './provide.js';
import { EngineSettings } from '../settings/engine-settings.js';

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
