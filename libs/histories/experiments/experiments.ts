import { type EventLog, parsePosition } from '#lib/event-store';
import { sessionRejections } from '#lib/decisions/session';
import { unknownMachine } from '#lib/decisions/machines';
import { derivedId, fold, nearestName, present, type Rejection } from '#lib/kernel';
import type { WorkflowRuntime } from '#lib/workflow';
import {
  checkKeyIn,
  type CommandContext,
  type CommandWriter,
  isTime,
  type ReadSide,
  refuse,
} from '#lib/operations/core';
import type { InputOf } from '#lib/operations';
import {
  chosenRounds,
  getMachine,
  getSession,
  isKnownMachine,
  type Page,
  type PageRequest,
  type ReadStore,
  type Rows,
  usageOfRounds,
} from '#lib/read-models';
import { batchRequests } from './batch-run.js';
import { estimated } from './estimate.rules.js';
import { experimentItems, type ItemsFilter } from './experiment-items.js';
import { experimentView, knownExperiment } from './experiment-view.js';
import { type ExperimentCommand, experimentDecider, openBatchOf } from './experiment.decider.js';
import type {
  ExperimentCaps,
  ExperimentEvent,
  ExperimentPoint,
  ExperimentStarted,
} from './experiment.events.js';
import {
  invalidVariants,
  noSuchState,
  noTimeOfPoints,
  severalMachines,
  tooManyAsks,
  tooManyPoints,
  unknownExperiment,
} from './experiment.rejections.js';
import type { Experiment, ExperimentEstimate, ExperimentItem } from './experiments.views.js';
import { RECORDED } from './report.rules.js';
import type { StartExperiment } from './start-experiment.operation.js';
import { MOST_POINTS, type PointsQuestion } from './points-question.js';
import { checkPrompts, type FoundVariant, type Variants } from './variants.js';

type ExperimentQuestion = InputOf<typeof StartExperiment>;

const DEFAULT_POINTS = 100;
const MOST_ASKS = 100_000;
/** The defaults of optional members of a question. */
export const DEFAULTS = { samples: 1, baseline: RECORDED, concurrency: 4, margin: 0.05 } as const;

interface Chosen {
  readonly machineName: string;
  readonly points: readonly ExperimentPoint[];
  readonly variants: readonly FoundVariant[];
}

interface ExperimentsParts {
  readonly log: EventLog;
  readonly writer: CommandWriter;
  readonly reads: ReadSide;
  readonly store: ReadStore;
  readonly variants: Variants;
  readonly runtime: WorkflowRuntime;
}

/** Experiments, for the handlers of operations. Rejections are thrown as `RejectionError`. */
export class Experiments {
  constructor(private readonly parts: ExperimentsParts) {}

  /** Records the start. The stream of the experiment asks for its batches, so any process can continue it. */
  async start(question: ExperimentQuestion, context: CommandContext): Promise<Experiment> {
    const experimentId = derivedId(context.commandId, 'experiment');
    const { log } = this.parts;
    const history = await log.load<ExperimentEvent>(log.streams.of('experiment', experimentId));
    const made = checkKeyIn(history, context).at(-1);
    if (made) {
      context.written.note(made.position);
      return this.#at(experimentId, made.revision);
    }
    const { variants, ...chosen } = await this.#chosen(question);
    const data: ExperimentStarted['data'] = {
      experimentId,
      ...(question.name !== undefined && { name: question.name }),
      ...chosen,
      variants: variants.map(({ variant }) => variant),
      samples: question.samples ?? DEFAULTS.samples,
      baseline: question.baseline ?? DEFAULTS.baseline,
      concurrency: question.concurrency ?? DEFAULTS.concurrency,
      margin: question.margin ?? DEFAULTS.margin,
      ...capsOf(question),
    };
    return this.begin(data, context);
  }

  begin(data: ExperimentStarted['data'], context: CommandContext): Promise<Experiment> {
    return this.#sent(data.experimentId, { type: 'StartExperiment', data }, context);
  }

  /** Waits until the experiment no longer runs, here or in another process. @throws as `WorkflowRuntime.finish` */
  async ended(experimentId: string): Promise<void> {
    const { log, runtime } = this.parts;
    const stream = log.streams.of('experiment', experimentId);
    const open = async () =>
      openBatchOf(fold(experimentDecider, (await log.load<ExperimentEvent>(stream)).events));
    for (let batch = await open(); batch; batch = await open())
      await runtime.finish({ workflow: batchRequests.workflow, runId: batch.batchId, stream });
  }

  async estimate(question: ExperimentQuestion): Promise<ExperimentEstimate> {
    const { points, variants } = await this.#chosen(question);
    const { reads, store } = this.parts;
    await reads.waitForHead(['llm_calls']);
    const usage = await usageOfRounds(
      store.db,
      points.map(({ roundId }) => roundId),
    );
    const asks = points.length * (question.samples ?? 1);
    const priced = variants.map(({ variant: { specialistId }, asksModel, price }) => ({
      specialistId,
      asksModel,
      price,
    }));
    return { points: points.length, calls: asks * variants.length, ...estimated(priced, usage, asks) };
  }

  async get(experimentId: string): Promise<Experiment> {
    return experimentView(await knownExperiment(this.parts.log, experimentId));
  }

  async items(
    experimentId: string,
    filter: ItemsFilter,
    request: PageRequest,
  ): Promise<Page<ExperimentItem> | Rejection> {
    const known = await knownExperiment(this.parts.log, experimentId);
    const { variants } = known.experiment.started;
    const { variant } = filter;
    if (variant !== undefined && variants.every(({ name }) => name !== variant))
      return invalidVariants('/variant', {
        what: `variant ${variant}`,
        why: 'the experiment has none of this name',
        fix: 'Use a name of its report',
      });
    return experimentItems(this.parts.log, known, filter, request);
  }

  async resume(
    { experimentId, ...caps }: { readonly experimentId: string } & ExperimentCaps,
    context: CommandContext,
  ): Promise<Experiment> {
    const { log, variants } = this.parts;
    const history = await log.load<ExperimentEvent>(log.streams.of('experiment', experimentId));
    const isRepeat = checkKeyIn(history, context).length > 0;
    const stopped = fold(experimentDecider, history.events);
    // A repeated call, or one for an experiment that is not stopped, asks no model: its variants are not checked.
    if (!isRepeat && stopped?.status === 'stopped')
      await variants.checkAgain(stopped.started.variants, caps.maxCostUSD ?? stopped.caps.maxCostUSD);
    const data = { experimentId, ...capsOf(caps) };
    return this.#sent(experimentId, { type: 'ResumeExperiment', data }, context);
  }

  cancel(
    { experimentId, reason }: { readonly experimentId: string; readonly reason?: string },
    context: CommandContext,
  ): Promise<Experiment> {
    const data = { experimentId, ...(reason !== undefined && { reason }) };
    return this.#sent(experimentId, { type: 'CancelExperiment', data }, context);
  }

  async #sent(
    experimentId: string,
    command: ExperimentCommand,
    context: CommandContext,
  ): Promise<Experiment> {
    const target = { category: 'experiment', id: experimentId } as const;
    const { revision } = await this.parts.writer.send(experimentDecider, target, command, context);
    return this.#at(experimentId, revision);
  }

  /** The experiment at this revision, with the answers of its open batch at that time: a repeated command gets the same answer. */
  async #at(experimentId: string, revision: number): Promise<Experiment> {
    const { log } = this.parts;
    const { events } = await log.load<ExperimentEvent>(log.streams.of('experiment', experimentId));
    const { position } = events[revision] ?? refuse(unknownExperiment(experimentId));
    const past = log.upTo(parsePosition(log.store.logId, position));
    return experimentView(await knownExperiment(past, experimentId));
  }

  async #chosen({
    points: asked,
    variants: named,
    samples = 1,
    ...question
  }: ExperimentQuestion): Promise<Chosen> {
    const { reads, store, variants: lookup } = this.parts;
    checkTimes(asked);
    await reads.waitForHead(['sessions', 'machines']);
    const machineName = await this.#machineOf(asked);
    await checkStates(store.db, asked);
    const { baseline = RECORDED, maxCostUSD } = question;
    const variants = await lookup.found(named, machineName, { baseline, maxCostUSD });
    const { max = 'sessionIds' in asked ? MOST_POINTS + 1 : DEFAULT_POINTS, ...filter } = {
      max: undefined,
      ...asked,
      machineName,
    };
    const points = await chosenRounds(store.db, filter, max);
    if (points.length > MOST_POINTS) refuse(tooManyPoints(MOST_POINTS));
    checkPrompts(named, points);
    const asks = points.length * variants.length * samples;
    if (asks > MOST_ASKS) refuse(tooManyAsks(asks, MOST_ASKS));
    return { machineName, points, variants };
  }

  async #machineOf(asked: PointsQuestion): Promise<string> {
    const { db } = this.parts.store;
    if ('machineName' in asked) {
      if (!(await isKnownMachine(db, asked.machineName))) refuse(unknownMachine(asked.machineName));
      return asked.machineName;
    }
    const names = new Set<string>();
    for (const sessionId of asked.sessionIds) {
      const session = await getSession(db, sessionId);
      names.add((session ?? refuse(sessionRejections.unknownSession(sessionId))).machineName);
    }
    const [name = '', ...others] = names;
    if (others.length > 0) refuse(severalMachines([...names]));
    return name;
  }
}

function capsOf({ maxCalls, maxCostUSD }: ExperimentCaps): ExperimentCaps {
  return present({ maxCalls, maxCostUSD });
}

function checkTimes(asked: PointsQuestion): void {
  if ('sessionIds' in asked) return;
  for (const member of ['from', 'to'] as const)
    if (asked[member] !== undefined && !isTime(asked[member])) refuse(noTimeOfPoints(member));
}

/**
 * A state is known if the current version of the machine has it, or a point was decided in it: sessions keep states of older
 * versions.
 * @throws RejectionError at the first unknown state
 */
async function checkStates(db: Rows<'machines' | 'sessions'>, asked: PointsQuestion): Promise<void> {
  if (!('machineName' in asked) || !asked.states) return;
  const { machineName, states } = asked;
  const machine = await getMachine(db, machineName);
  const current = Object.keys(machine?.definition.states ?? {});
  for (const state of new Set(states)) {
    if (current.includes(state)) continue;
    const points = await chosenRounds(db, { machineName, states: [state] }, 1);
    if (points.length === 0)
      refuse(noSuchState(states.indexOf(state), state, machineName, nearestName(state, current)));
  }
}
