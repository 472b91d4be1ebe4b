import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Gate, type GateResult, unknownGate } from '#lib/gate';
import { randomIds } from '#lib/kernel';
import { callOf, type CallOptions, pageOrThrow, type ReadOptions, refuse } from '#lib/operations';
import {
  getGate,
  listGates,
  type Page,
  type PageRequest,
  type ProjectionName,
  type Rows,
} from '#lib/projections';
import { type CreatedGate, CreateGateCommand } from '../commands/create-gate.command.js';
import { DeleteGateCommand } from '../commands/delete-gate.command.js';
import { InvokeGateCommand, type InvokeGateInput } from '../commands/invoke-gate.command.js';
import { InvocationQuery } from '../queries/invocation.query.js';
import { askRows } from '../read-side/ask-rows.js';

/** The part of the facade that is about gates: one question, decided again and again. */
export abstract class GateFacade {
  constructor(
    protected readonly commands: CommandBus,
    protected readonly queries: QueryBus,
  ) {}

  /** Creates a gate, or its next version where it has changed, and registers the specialists it declares. @throws RejectionError */
  async createGate(definition: unknown, options: CallOptions = {}): Promise<CreatedGate> {
    const call = callOf('createGate', definition, options, randomIds);
    return (await this.commands.execute(new CreateGateCommand(definition, call))).value;
  }

  /**
   * Has a gate decide: everybody is asked at the same time, then the arbiter judges. Where nothing is decided by that, or the gate
   * has no arbiter, `needsHuman` is true, and `submitArbitration` with the result's `sessionId` decides.
   * @throws RejectionError before anything is written when there is no such gate, or this process could not ask everybody
   */
  async invokeGate(input: InvokeGateInput, options: CallOptions = {}): Promise<GateResult> {
    const call = callOf('invokeGate', input, options, randomIds);
    return (await this.commands.execute(new InvokeGateCommand(input, call))).value;
  }

  /** What came of an invocation by now. @throws RejectionError when the gate has no such invocation */
  getInvocation(gateId: string, sessionId: string, options?: ReadOptions): Promise<GateResult> {
    return this.queries.execute(new InvocationQuery(gateId, sessionId, options?.minPosition));
  }

  /** @throws RejectionError when there is no such gate, or it was deleted */
  async getGate(gateId: string, options?: ReadOptions): Promise<Gate> {
    const gate = await this.ask(['gates'], (db) => getGate(db, gateId), options);
    return gate ?? refuse(unknownGate(gateId));
  }

  /** By id. */
  async listGates(page?: PageRequest, options?: ReadOptions): Promise<Page<Gate>> {
    return pageOrThrow(await this.ask(['gates'], (db) => listGates(db, page), options));
  }

  /** From then on the gate is neither listed nor invoked; its invocations stay. @returns the gate as it was @throws RejectionError */
  async deleteGate(gateId: string, options: CallOptions = {}): Promise<Gate> {
    const call = callOf('deleteGate', gateId, options, randomIds);
    return (await this.commands.execute(new DeleteGateCommand(gateId, call))).value;
  }

  protected ask<Answer, Name extends ProjectionName>(
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Answer>,
    options?: ReadOptions,
  ): Promise<Answer> {
    return askRows(this.queries, projections, question, options);
  }
}
