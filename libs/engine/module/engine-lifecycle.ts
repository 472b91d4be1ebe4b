import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { thrownText } from '#lib/kernel';
import { McpServers, Sandbox } from '#lib/activities';
import { EventLog } from '#lib/event-store';
import { LogReader, ProjectionRunner, type ReadStore } from '#lib/read-models';
import { CommandWriter, READ_STORE, SingleFlight, WrittenPosition } from '#lib/operations';
import { HookReactions } from '#lib/hooks';
import { Reactions } from '#lib/reactions/core';
import { LogHold, Sealing } from '#lib/seals/core';
import { Erasing } from '#lib/subjects/core';
import { TraceExport } from '#lib/telemetry';
import { WorkflowRuntime } from '#lib/workflow';
import { Driver } from '#lib/decisions/driving';
import { registerDeclaredTools, ToolFunctions } from '#lib/runs/tools';
import { EngineSettings } from '../settings/engine-settings.js';
import { DeclaredReactions } from '../wiring/declared-reactions.js';
import { FunctionsByName } from '../wiring/functions-by-name.js';
import { claimedElsewhere } from './claim-watch.js';
import { holdLog, whyUnclaimed } from './log-claim.js';
import { refuseDuplicateHandlers, refuseSecondEngine } from './refuse-duplicate-handlers.js';

const RETRY_MS = 1_000;
const HELD =
  'The log is a copy, or a file without its rows, that was not claimed: timers, reactions, hooks and seals do not go on here. ' +
  'Stop the engines on the original log, run `redial log claim`, and start again.';

/**
 * Starts the parts that follow the log, and stops them in an order that loses no work: no new work, then calls in flight and the commands
 * that wait for them, then the projections, then the stores. HTTP servers close between the two halves of the stop, so that waiting callers
 * get answers.
 */
@Injectable()
export class EngineLifecycle
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger('Engine');
  private isStopping = false;
  private callOff: () => void = () => undefined;
  private readonly watch = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly log: EventLog,
    @Inject(READ_STORE) private readonly store: ReadStore,
    private readonly reader: LogReader,
    private readonly projections: ProjectionRunner,
    private readonly written: WrittenPosition,
    private readonly gate: SingleFlight,
    private readonly runtime: WorkflowRuntime,
    private readonly driver: Driver,
    private readonly functions: FunctionsByName,
    private readonly tools: ToolFunctions,
    private readonly mcp: McpServers,
    private readonly sandbox: Sandbox,
    private readonly writer: CommandWriter,
    private readonly traces: TraceExport,
    private readonly hold: LogHold,
    private readonly sealing: Sealing,
    private readonly erasing: Erasing,
    private readonly reactions: Reactions,
    private readonly declared: DeclaredReactions,
    private readonly hooks: HookReactions,
    private readonly settings: EngineSettings,
    private readonly modules: ModulesContainer,
    @Optional() private readonly http?: HttpAdapterHost,
  ) {}

  /** A start that fails releases every resource: the caller gets no application that it could close. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      refuseSecondEngine(this.modules);
      refuseDuplicateHandlers(this.modules);
      this.functions.find();
      this.declared.find();
      // In this order: a read store that belongs to another log must not become the one that runs this log.
      await this.projections.start({ servesViews: true });
      if (!this.settings.readOnly) await this.holdLog();
      this.written.begin(await this.log.store.head());
      // `log copy` may still append to a copy: no stream is begun in it.
      if (!this.settings.readOnly && this.hold.why !== 'copied') await this.beginDeclared();
    } catch (error) {
      await this.onApplicationShutdown();
      throw error;
    }
    // An interrupted item may have crashed the last process: it must not keep the server from listening.
    if (!this.settings.readOnly) this.callOff = onceListening(this.http, () => this.begin());
  }

  private async holdLog(): Promise<void> {
    await holdLog(this.log, this.store, this.settings);
    this.hold.why = await whyUnclaimed(this.log, this.store, this.settings);
    if (this.hold.why !== undefined) this.logger.warn(HELD);
  }

  private async beginDeclared(): Promise<void> {
    await registerDeclaredTools(this.tools, this.writer);
    await this.declared.begin();
  }

  private begin(): void {
    void this.checkLog();
    this.traces.start();
    if (this.settings.eventStoreDbUrl !== undefined) this.watching = this.watchClaim();
    this.erasing.start(this.hold.why !== 'copied');
    if (this.hold.why === undefined) this.beginByItself();
    // Runs that commands wake go on, but not in a copy.
    else if (this.hold.why === 'restored') void this.beginRuns(() => this.runtime.follow());
  }

  /** Begins the work without commands: runs and their timers, reactions, hooks, seals and sessions. */
  private beginByItself(): void {
    this.sealing.start();
    void this.beginRuns(() => this.runtime.start());
    this.declared.start();
    this.hooks.start();
    if (this.settings.driver.enabled) this.driver.start();
  }

  /** Damage makes the server unready: the store then refuses appends. */
  private async checkLog(): Promise<void> {
    try {
      const findings = (await this.log.store.checkIntegrity?.()) ?? [];
      if (findings.length > 0) this.logger.error(`The event log is damaged: ${findings.join('; ')}`);
    } catch (error) {
      if (!this.isStopping) this.logger.warn(`The event log was not checked: ${String(error)}`);
    }
  }

  private async beginRuns(start: () => Promise<void>): Promise<void> {
    while (!this.isStopping) {
      try {
        return await start();
      } catch (error) {
        this.logger.warn(`Runs are not driven yet: ${thrownText(error)}`);
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** Engines on two lease stores do not see each other's leases: both would call the same models and receivers. */
  private async watchClaim(): Promise<void> {
    const check = () => holdLog(this.log, this.store, this.settings);
    const lost = await claimedElsewhere({ log: this.log, reader: this.reader, check }, this.watch.signal);
    if (!lost) return;
    await this.stopWork();
    this.hold.why = 'taken';
    this.logger.error(`Nothing runs in this process any more; stop it: ${lost.message}`);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.callOff();
    this.watch.abort();
    await this.watching;
    await this.stopWork();
    await Promise.all([this.gate.settled(), this.driver.idle(), this.traces.stop()]);
  }

  private stopWork(): Promise<void> {
    return (this.stopped ??= this.endWork());
  }

  private async endWork(): Promise<void> {
    this.isStopping = true;
    this.driver.stop();
    const { shutdownGraceMs } = this.settings;
    await this.hooks.stop();
    await Promise.all([this.runtime.stop(shutdownGraceMs), this.reactions.stop(shutdownGraceMs)]);
    await Promise.all([this.sealing.stop(), this.erasing.stop()]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.mcp.close();
    this.sandbox.close();
    await this.projections.stop();
    await this.store.close();
    await this.log.store.close();
  }
}

/** An application that makes an HTTP server need not listen with it, as in tests. */
const LISTENS_WITHIN_MS = 1_000;

/**
 * Calls back once the HTTP server of the application listens, a second later at the latest; at once if the application has none.
 * @returns cancels it
 */
function onceListening(host: HttpAdapterHost | undefined, begin: () => void): () => void {
  if (!host?.httpAdapter) {
    begin();
    return () => undefined;
  }
  const timer = setTimeout(() => start(), LISTENS_WITHIN_MS);
  const listening = host.listen$.subscribe(() => start());
  const callOff = () => {
    clearTimeout(timer);
    listening.unsubscribe();
  };
  const start = () => {
    callOff();
    begin();
  };
  return callOff;
}
