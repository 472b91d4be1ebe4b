import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { isRejection, randomIds } from '#lib/kernel';
import { callOf, type CallOptions, pageOrThrow, type ReadOptions, refuse } from '#lib/operations';
import {
  getSpecialist,
  listSpecialistVersions,
  type Page,
  type PageRequest,
  type SpecialistDetails,
  type SpecialistRecord,
  type SpecialistVersionRecord,
} from '#lib/projections';
import type { RegisteredSpecialist } from '../commands/register-specialist.command.js';
import { SetSpecialistEnabledCommand } from '../commands/set-specialist-enabled.command.js';
import { GateFacade } from '../gates/gate-facade.js';
import type { ArbiterRegistration, ProposerRegistration } from './register-functions.js';
import type { Registrar } from './registrar.js';
import { type MachineOption, specialistName } from './specialist-name.js';

/** The part of the facade that is about specialists. */
export abstract class SpecialistFacade extends GateFacade {
  constructor(
    commands: CommandBus,
    queries: QueryBus,
    private readonly registrar: Registrar,
  ) {
    super(commands, queries);
  }

  /**
   * Registers a proposer, or its next version where its body has changed. The body of an existing version makes that version the
   * current one again. Functions are not in the log: a proposer with one is registered again after every start.
   */
  async registerProposer(
    registration: ProposerRegistration,
    options: CallOptions = {},
  ): Promise<RegisteredSpecialist> {
    return this.registrar.registerProposer(registration, options);
  }

  /** Registers an arbiter, as `registerProposer` does a proposer. */
  async registerArbiter(
    registration: ArbiterRegistration,
    options: CallOptions = {},
  ): Promise<SpecialistRecord> {
    return this.registrar.registerArbiter(registration, options);
  }

  /** @throws RejectionError `ambiguous` where several machines have a specialist of this id and none is named */
  enableSpecialist(
    specialistId: string,
    options: CallOptions & MachineOption = {},
  ): Promise<SpecialistRecord> {
    return this.setEnabled('enableSpecialist', specialistId, true, options);
  }

  /** As `enableSpecialist`. */
  disableSpecialist(
    specialistId: string,
    options: CallOptions & MachineOption = {},
  ): Promise<SpecialistRecord> {
    return this.setEnabled('disableSpecialist', specialistId, false, options);
  }

  /** @throws RejectionError when no specialist is registered under this id, or several machines have one */
  async getSpecialist(
    specialistId: string,
    options: ReadOptions & MachineOption & { readonly version?: number } = {},
  ): Promise<SpecialistDetails> {
    const name = specialistName(specialistId, options);
    const specialist = await this.ask(
      ['specialists', 'alignment'],
      (db) => getSpecialist(db, name, options.version),
      options,
    );
    return isRejection(specialist) ? refuse(specialist) : specialist;
  }

  /** Every version, the oldest first. @throws RejectionError as `getSpecialist` */
  async listSpecialistVersions(
    specialistId: string,
    page?: PageRequest,
    options: ReadOptions & MachineOption = {},
  ): Promise<Page<SpecialistVersionRecord>> {
    const name = specialistName(specialistId, options);
    return pageOrThrow(
      await this.ask(['specialists'], (db) => listSpecialistVersions(db, name, page), options),
    );
  }

  private async setEnabled(
    operation: string,
    specialistId: string,
    enabled: boolean,
    options: CallOptions & MachineOption,
  ): Promise<SpecialistRecord> {
    const name = specialistName(specialistId, options);
    const call = callOf(operation, name, options, randomIds);
    return (await this.commands.execute(new SetSpecialistEnabledCommand(name, enabled, call))).value;
  }
}
