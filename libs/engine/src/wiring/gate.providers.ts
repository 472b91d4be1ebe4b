import type { Provider } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { systemClock } from '#lib/kernel';
import { CommandWriter, KeyRegister, READ_STORE } from '#lib/operations';
import { type ReadStore, StoredLeases } from '#lib/projections';
import { Arbitrations, Participants, Preflight, Proposers, SessionLoop, Solicitor } from '#lib/sessions';
import { MachineCatalog } from '#lib/machines';
import { construct, factory } from './provide.js';
import { EngineSettings } from '../settings/engine-settings.js';
import { DeclaredSpecialists } from '#lib/specialists';
import { GateCatalog, Invocations } from '#lib/gates';

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
