import type { Provider } from '@nestjs/common';
import { EventLog } from '#lib/event-store';
import { CommandWriter, KeyRegister } from '#lib/operations';
import { Arbitrations, Participants, Preflight, ProposerCheck, Proposers, SessionLoop } from '#lib/sessions';
import { MachineCatalog } from '#lib/machines';
import { construct } from './provide.js';
import { LEASES } from './leases.provider.js';
import { DeclaredSpecialists } from '#lib/specialists';
import { GateCatalog, Invocations } from '#lib/gates';

/** The providers that create and invoke gates. */
export const gateProviders: readonly Provider[] = [
  construct(GateCatalog, [EventLog, CommandWriter, KeyRegister, MachineCatalog, DeclaredSpecialists]),
  construct(Preflight, [Participants, Proposers, ProposerCheck, Arbitrations]),
  construct(Invocations, [
    EventLog,
    CommandWriter,
    GateCatalog,
    MachineCatalog,
    Preflight,
    SessionLoop,
    LEASES,
  ]),
];
