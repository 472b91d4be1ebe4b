import type { Against } from './evaluation.input.js';
import { unknownEvaluation } from './evaluation.rejections.js';
import { evaluation } from './evaluation.workflow.js';
import { executionOf } from '../askable.js';
import { evaluationOfExperiment, evaluationView } from './evaluation-view.js';
import type { ExperimentPoint, ExperimentStarted } from '../experiments/experiment.events.js';
import { DEFAULTS, type Experiments } from '../experiments/experiments.js';
import type { EventLog } from '#lib/event-store';
import { derivedId, type RecordedEvent } from '#lib/kernel';
import {
  type CommandContext,
  type CommandWriter,
  orRefused,
  type ReadSide,
  refuse,
  type Written,
  type WrittenPosition,
} from '#lib/operations/core';
import type { InputOf } from '#lib/operations';
import {
  accuracyOf,
  chosenRounds,
  isKnownMachine,
  type ReadStore,
  type SpecialistName,
} from '#lib/read-models';
import { declaredSpecialists, type MachineDefinition, unknownMachine } from '#lib/decisions/machines';
import { type SessionEvent, specialistsOfState } from '#lib/decisions/session';
import {
  type Arbiter,
  type Proposer,
  specialistDecider,
  specialistVersion,
  unknownSpecialist,
} from '#lib/decisions/specialists';
import { type SpecialistLookup, specialistTarget } from '#lib/decisions/registration/core';
import type { WorkflowRuntime } from '#lib/workflow';
import type { ProposerCheck } from '#lib/decisions/driving/core';
import { isOutage, Unfinished } from '#lib/runs/runs/core';
import type { EvaluateSpecialist } from './evaluate-specialist.js';
import type { Evaluation, RecordedEvaluation } from './evaluations.views.js';

type Name = Required<SpecialistName>;

/** A proposer that the machine does not declare takes part in each of its states. */
function takesPart(machine: MachineDefinition, state: string, specialistId: string): boolean {
  const isDeclared = declaredSpecialists(machine).some(
    ({ declaration }) => declaration.specialistId === specialistId,
  );
  const proposer = {
    specialistId,
    role: 'proposer',
    isHuman: false,
    enabled: true,
    standsAlone: false,
  } as const;
  return !isDeclared || specialistsOfState(machine, state, [proposer]).length > 0;
}

type EvaluationQuestion = InputOf<typeof EvaluateSpecialist>;

const DEFAULT_ROUNDS = 50;

interface EvaluationsParts {
  readonly log: EventLog;
  readonly writer: CommandWriter;
  readonly written: WrittenPosition;
  readonly reads: ReadSide;
  readonly store: ReadStore;
  readonly proposers: ProposerCheck;
  readonly specialists: SpecialistLookup;
  readonly experiments: Experiments;
  /** The runtime of evaluations from before 0.3. */
  readonly runtime: WorkflowRuntime;
}

/** The evaluation was started, and this process could not finish it. Recovery continues it. */
export class EvaluationUnfinished extends Unfinished {}

/** Compares specialists with decisions, each time by an experiment with one variant. Sessions are only read. */
export class Evaluations {
  constructor(private readonly parts: EvaluationsParts) {}

  /**
   * A repeat under the same key waits for the same evaluation, and gets its answer.
   * @throws RejectionError before any write if there is no such specialist, or this process cannot ask it
   * @throws EvaluationUnfinished if it was started, and this process cannot continue it
   */
  async evaluate(
    question: EvaluationQuestion,
    context: CommandContext,
  ): Promise<Written<Evaluation | RecordedEvaluation>> {
    const evaluationId = derivedId(context.commandId, 'evaluation');
    for (const category of ['evaluation', 'experiment'] as const)
      await this.parts.writer.checkKey({ category, id: evaluationId }, context);
    if (question.against === 'record')
      return { value: await this.#recorded(question), position: undefined, created: false };
    const run = await this.#history('evaluation', evaluationId);
    const experiment = await this.#history('experiment', evaluationId);
    if (run.length + experiment.length === 0)
      await this.#begin(evaluationId, question.against, question, context);
    const isBefore03 = run.length > 0;
    await this.#ended(evaluationId, isBefore03);
    const history = await this.#history(isBefore03 ? 'evaluation' : 'experiment', evaluationId);
    const position = history.at(-1)?.position;
    this.parts.written.note(position);
    return { value: await this.get(evaluationId), position, created: true };
  }

  /** The current evaluation. @throws RejectionError if there is none */
  async get(evaluationId: string): Promise<Evaluation> {
    const { log } = this.parts;
    return (
      (await evaluationOfExperiment(log, evaluationId)) ??
      evaluationView(await this.#history('evaluation', evaluationId)) ??
      refuse(unknownEvaluation(evaluationId))
    );
  }

  async #recorded({
    maxRounds = DEFAULT_ROUNDS,
    ...question
  }: EvaluationQuestion): Promise<RecordedEvaluation> {
    const { reads, store } = this.parts;
    const name = await this.#nameOf(question);
    const machineName = await this.#roundsOf(question, name.machineName);
    const { specialistVersion } = question;
    if (specialistVersion !== undefined) await this.#specialist(name, specialistVersion);
    await reads.waitForHead(['sessions', 'specialists']);
    const which = { machineName, lookback: maxRounds, specialistVersion };
    return { ...orRefused(await accuracyOf(store.db, name, which)), machineName, against: 'record' };
  }

  /** Records the start: any process can continue the experiment. */
  async #begin(
    experimentId: string,
    against: Against,
    question: EvaluationQuestion,
    context: CommandContext,
  ): Promise<void> {
    const specialist = await this.#specialist(await this.#nameOf(question), question.specialistVersion);
    this.parts.proposers.check(executionOf(specialist));
    const { specialistId, version: specialistVersion, machineName: specialistMachine } = specialist;
    const machineName = await this.#roundsOf(question, specialistMachine);
    const { maxRounds = DEFAULT_ROUNDS, allStates = false } = question;
    const isComparedIn = (machine: MachineDefinition, state: string) =>
      allStates || machineName !== specialistMachine || takesPart(machine, state, specialistId);
    const name = `${specialistId} version ${specialistVersion}`;
    const data: ExperimentStarted['data'] = {
      experimentId,
      machineName,
      points: await this.#points({ machineName, against, max: maxRounds }, isComparedIn),
      variants: [{ name, specialistId, specialistVersion, specialistMachine, overrides: {} }],
      ...DEFAULTS,
      evaluation: { against },
    };
    await this.parts.experiments.begin(data, context);
  }

  /** Newest first. */
  async #points(
    { machineName, against, max }: Pick<Evaluation, 'machineName' | 'against'> & { readonly max: number },
    isComparedIn: (machine: MachineDefinition, state: string) => boolean,
  ): Promise<readonly ExperimentPoint[]> {
    const { log, reads, store } = this.parts;
    await reads.waitForHead(['sessions']);
    const decidedBy = against === 'exemplars' ? 'people' : 'any';
    const points: ExperimentPoint[] = [];
    for (const round of await chosenRounds(store.db, { machineName, decidedBy }, max)) {
      const { events } = await log.load<SessionEvent>(log.streams.of('session', round.sessionId));
      const [created] = events;
      if (created?.type !== 'SessionCreated' || isComparedIn(created.data.machine, round.state))
        points.push(round);
    }
    return points;
  }

  /** @param isBefore03 a run of a release before 0.3, not an experiment */
  async #ended(evaluationId: string, isBefore03: boolean): Promise<void> {
    const { experiments, runtime } = this.parts;
    try {
      await (isBefore03
        ? runtime.ended({ workflow: evaluation.name, runId: evaluationId })
        : experiments.ended(evaluationId));
    } catch (error) {
      throw isOutage(error) ? new EvaluationUnfinished('evaluation', evaluationId, error) : error;
    }
  }

  /** The machine of the rounds: the named one, else the specialist's own. @throws RejectionError `unknown-machine` */
  async #roundsOf({ machineName }: EvaluationQuestion, own: string): Promise<string> {
    if (machineName === undefined) return own;
    const { reads, store } = this.parts;
    await reads.waitForHead(['sessions', 'machines']);
    return (await isKnownMachine(store.db, machineName)) ? machineName : refuse(unknownMachine(machineName));
  }

  async #nameOf({ specialistId, specialistMachine, machineName }: EvaluationQuestion): Promise<Name> {
    const own = specialistMachine !== undefined && { machineName: specialistMachine };
    const found = await this.parts.specialists.machineOf({ specialistId, ...own }, machineName);
    return { specialistId, machineName: found };
  }

  async #specialist(name: Name, version?: number): Promise<Proposer | Arbiter> {
    const state = await this.parts.writer.state(specialistDecider, specialistTarget(name));
    return specialistVersion(state, version) ?? refuse(unknownSpecialist(name.specialistId, version));
  }

  #history(category: 'evaluation' | 'experiment', id: string): Promise<readonly RecordedEvent[]> {
    const { log } = this.parts;
    return log.readStream(log.streams.of(category, id));
  }
}
