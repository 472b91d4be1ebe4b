import type { EventLog } from '#lib/event-store';
import { askedMachine } from '../definition/gate-machine.js';
import type { InvokeGate } from './invoke-gate.js';
import type { GateResult } from '../gates.views.js';
import { gateResult, settledInvocation } from './gate-result.js';
import { unknownInvocation } from '../gate.rejections.js';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import { sessionDecider, type SessionEvent } from '#lib/decisions/session';
import { checkCallerInput, driveLease, type Preflight, type SessionLoop } from '#lib/decisions/driving/core';
import { type CommandContext, type CommandWriter, refuse, type Written } from '#lib/operations/core';
import type { InputOf } from '#lib/operations';
import { type LeaseHolder, underLease } from '#lib/workflow';
import type { MachineCatalog } from '#lib/decisions/registration/core';
import { earlierDecision } from './earlier-decision.js';
import type { GateCatalog } from '../definition/gate-catalog.js';

type InvokeGateInput = InputOf<typeof InvokeGate>;
type History = readonly RecordedEvent<SessionEvent>[];

/** The progress of an invocation. */
interface Settled {
  readonly history: History;
  /** One of its runs waits for a person. */
  readonly isWaiting: boolean;
}

/** Invokes gates. An invocation is a session of the gate's machine, without further state. */
export class Invocations {
  private readonly holder: LeaseHolder;

  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly gates: GateCatalog,
    private readonly machines: MachineCatalog,
    private readonly preflight: Preflight,
    private readonly loop: SessionLoop,
    leases: LeaseHolder,
  ) {
    // Another owner than the always-on mode of the same process, so that each excludes the other.
    this.holder = { ...leases, owner: `${leases.owner}-invocations` };
  }

  /**
   * Asks all proposers at once, then the arbiter, and asks for a person if the round is not decided. A repeat under the same key
   * gets the same answer, even after the gate was deleted or a person has decided; if the first call was cut off, the repeat
   * continues it.
   * @throws RejectionError before any write if there is no such gate, or this process cannot ask all specialists
   */
  async invoke(input: InvokeGateInput, context: CommandContext): Promise<Written<GateResult>> {
    const { gateId, history = [] } = input;
    for (const { metaJson } of [input, ...history])
      checkCallerInput({ ...(metaJson !== undefined && { metaJson }) });
    const sessionId = derivedId(context.commandId, 'session');
    await this.writer.checkKey({ category: 'session', id: sessionId }, context);
    const before = settledInvocation(await this.history(sessionId));
    const { history: settled, isWaiting } = before
      ? { history: before, isWaiting: false }
      : await this.undisturbed(sessionId, () => this.settle(sessionId, input, context));
    const value = this.resultOf(gateId, sessionId, settled, isWaiting);
    return { value, position: settled.at(-1)?.position, created: true };
  }

  /**
   * The present result of an invocation.
   * @param isWaiting one of its runs waits for a person
   * @throws RejectionError if the gate has no such invocation
   */
  async get(gateId: string, sessionId: string, isWaiting: boolean): Promise<GateResult> {
    return this.resultOf(gateId, sessionId, await this.history(sessionId), isWaiting);
  }

  private resultOf(gateId: string, sessionId: string, history: History, isWaiting: boolean): GateResult {
    const result = gateResult(history, isWaiting);
    return result?.gateId === gateId ? result : refuse(unknownInvocation(gateId, sessionId));
  }

  /** The always-on mode asks the arbiter after two proposals; an invocation asks all proposers first. */
  private async undisturbed<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const done = await underLease(this.holder, driveLease(sessionId), work);
    // The owner of the lease drives the session too: no step is taken twice, and none is lost.
    return done ? done.result : work();
  }

  private async settle(sessionId: string, input: InvokeGateInput, context: CommandContext): Promise<Settled> {
    if ((await this.history(sessionId)).length === 0) await this.start(sessionId, input, context);
    const { history, waitsFor } = await this.loop.run(
      { sessionId, context: context, pace: 'round' },
      await this.loop.history(sessionId),
    );
    const settled = settledInvocation(history.events);
    return { history: settled ?? history.events, isWaiting: !settled && waitsFor !== undefined };
  }

  private async start(
    sessionId: string,
    { gateId, metaJson, promptSuffix, history }: InvokeGateInput,
    context: CommandContext,
  ): Promise<void> {
    const { machineVersion } = await this.gates.get(gateId);
    const { chosen } = await this.machines.choose({ machineName: gateId, machineVersion }, context);
    const machine = askedMachine(chosen.machine, promptSuffix);
    const { specialistVersions = {} } = chosen;
    const session = {
      ...chosen,
      machine,
      specialistVersions,
      machineName: gateId,
      currentState: machine.initialState,
    };
    await this.preflight.check(session);
    const roundId = derivedId(context.commandId, 'round');
    const data = {
      sessionId,
      roundId,
      ...chosen,
      machine,
      ...(metaJson !== undefined && { metaJson }),
      ...(history && { earlier: history.map(earlierDecision) }),
    };
    const target = { category: 'session', id: sessionId } as const;
    await this.writer.send(sessionDecider, target, { type: 'CreateSession', data }, context);
  }

  private history(sessionId: string): Promise<History> {
    return this.log.readStream<SessionEvent>(this.log.streams.of('session', sessionId));
  }
}
