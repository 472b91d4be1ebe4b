import type { Provider } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { systemClock } from '#lib/kernel';
import { CommandWriter, KeyRegister } from '#lib/operations';
import { type ReadStore, StoredLeases } from '#lib/projections';
import { Arbitrations } from '../arbitrations/arbitrations.js';
import { MachineCatalog } from '#lib/machines';
import { construct, factory } from '../module/provide.js';
import { READ_STORE } from '../module/read-store.token.js';
import { Preflight } from '../process-manager/preflight.js';
import { Participants } from '../process-manager/participants.js';
import { SessionLoop } from '../process-manager/session-loop.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { Solicitor } from '../solicitations/solicitor.js';
import { DeclaredSpecialists } from '#lib/specialists';
import { Proposers } from '../specialists/proposers.js';
import { GateCatalog } from './gate-catalog.js';
import { Invocations } from './invocations.js';

/** The providers that create and invoke gates. */
export const gateProviders: readonly Provider[] = [
  construct(GateCatalog, [EventLog, CommandWriter, KeyRegister, MachineCatalog, DeclaredSpecialists]),
  construct(Preflight, [Participants, Proposers, Solicitor, Arbitrations]),
  factory(
    Invocations,
    [
      EventLog,
      CommandWriter,
      GateCatalog,
      MachineCatalog,
      Preflight,
      SessionLoop,
      READ_STORE,
      EngineSettings,
    ],
    async (
      log: EventLog,
      writer: CommandWriter,
      gates: GateCatalog,
      machines: MachineCatalog,
      preflight: Preflight,
      loop: SessionLoop,
      store: ReadStore,
      { runner }: EngineSettings,
    ) => {
      const leases = await StoredLeases.open(store, systemClock);
      return new Invocations(log, writer, gates, machines, preflight, loop, leases, runner);
    },
  ),
];
