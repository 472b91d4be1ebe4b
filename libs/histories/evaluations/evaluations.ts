import type { Against, EvaluationInput, Sample } from './evaluation.input.js';
import { unknownEvaluation } from './evaluation.rejections.js';
import { evaluation } from './evaluation.workflow.js';
import { executionOf } from '../askable.js';
import { evaluationView } from './evaluation-view.js';
import type { EventLog } from '#lib/event-store';
import { type Clock, derivedId, isRejection, type JsonObject, type RecordedEvent } from '#lib/kernel';
import {
  type CommandContext,
  type CommandWriter,
  type ReadSide,
  refuse,
  type WrittenPosition,
  type Written,
} from '#lib/operations/core';
import type { InputOf } from '#lib/operations';
import {
  accuracyOf,
  type PastRound,
  pastRounds,
  type ReadStore,
  type SpecialistName,
} from '#lib/read-models';
import { declaredSpecialists, type MachineDefinition } from '#lib/decisions/machines';
import { roundStart, type SessionEvent, specialistsOfState } from '#lib/decisions/session';
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
import { callMetadata, isOutage, Unfinished } from '#lib/runs/runs/core';
import type { EvaluateSpecialist } from './evaluate-specialist.js';
import type { Evaluation, RecordedEvaluation } from './evaluations.views.js';

type Name = Required<SpecialistName>;

/** A proposer that the machine declares nowhere is new to all of its states: it is compared in each. */
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

/** The parts of `Evaluations`. */
interface EvaluationsParts {
  readonly log: EventLog;
  readonly writer: CommandWriter;
  readonly written: WrittenPosition;
  readonly reads: ReadSide;
  readonly store: ReadStore;
  readonly proposers: ProposerCheck;
  readonly specialists: SpecialistLookup;
  readonly runtime: WorkflowRuntime;
  readonly clock: Clock;
}

/** An evaluation was started, and this process could not finish it. Recovery continues it. */
export class EvaluationUnfinished extends Unfinished {}

/** Compares specialists with what was decided, each time by a run. Sessions are read, and stay as they are. */
export class Evaluations {
  constructor(private readonly parts: EvaluationsParts) {}

  /**
   * A repeat under the same key waits for the same run, and is answered alike.
   * @throws RejectionError before anything is written when there is no such specialist, or this process cannot ask it
   * @throws EvaluationUnfinished when it was started, and this process cannot continue it
   */
  async evaluate(
    question: EvaluationQuestion,
    context: CommandContext,
  ): Promise<Written<Evaluation | RecordedEvaluation>> {
    const evaluationId = derivedId(context.commandId, 'evaluation');
    await this.parts.writer.checkKey({ category: 'evaluation', id: evaluationId }, context);
    if (question.against === 'record')
      return { value: await this.#recorded(question), position: undefined, created: false };
    if ((await this.#history(evaluationId)).length === 0)
      await this.#start(await this.#input(evaluationId, question.against, question), context);
    await this.#ended(evaluationId);
    const history = await this.#history(evaluationId);
    const position = history.at(-1)?.position;
    this.parts.written.note(position);
    return { value: viewOf(evaluationId, history), position, created: true };
  }

  /** The current evaluation. @throws RejectionError when it does not exist */
  async get(evaluationId: string): Promise<Evaluation> {
    return viewOf(evaluationId, await this.#history(evaluationId));
  }

  async #recorded({
    maxRounds = DEFAULT_ROUNDS,
    ...question
  }: EvaluationQuestion): Promise<RecordedEvaluation> {
    const { reads, store } = this.parts;
    const name = await this.#nameOf(question);
    const { machineName = name.machineName } = question;
    await reads.waitForHead(['sessions', 'specialists']);
    const accuracy = await accuracyOf(store.db, name, { machineName, lookback: maxRounds });
    if (isRejection(accuracy)) return refuse(accuracy);
    return { ...accuracy, machineName, against: 'record' };
  }

  async #input(
    evaluationId: string,
    against: Against,
    { maxRounds: limit = DEFAULT_ROUNDS, allStates = false, ...question }: EvaluationQuestion,
  ): Promise<EvaluationInput> {
    const { reads, store, proposers } = this.parts;
    const specialist = await this.#specialist(await this.#nameOf(question), question.specialistVersion);
    proposers.check(executionOf(specialist));
    const { specialistId, version: specialistVersion, machineName: specialistMachine } = specialist;
    const { machineName = specialistMachine } = question;
    await reads.waitForHead([against === 'exemplars' ? 'exemplars' : 'sessions']);
    const rounds = await pastRounds(store.db, { machineName, against, limit });
    const samples: Sample[] = [];
    const isComparedIn = (machine: MachineDefinition, state: string) =>
      allStates || machineName !== specialistMachine || takesPart(machine, state, specialistId);
    for (const round of rounds) samples.push(...(await this.#sample(evaluationId, round, isComparedIn)));
    const asked = { specialistId, specialistVersion, specialistMachine };
    return { evaluationId, ...asked, machineName, against, samples };
  }

  async #sample(
    evaluationId: string,
    round: PastRound,
    isComparedIn: (machine: MachineDefinition, state: string) => boolean,
  ): Promise<readonly Sample[]> {
    const { log } = this.parts;
    const { sessionId, roundId, state } = round;
    const { events } = await log.load<SessionEvent>(log.streams.of('session', sessionId));
    const [created] = events;
    if (created?.type === 'SessionCreated' && !isComparedIn(created.data.machine, state)) return [];
    const sampleId = derivedId(evaluationId, `${sessionId}/${roundId}`);
    return [{ sampleId, ...round, revision: roundStart(events, roundId) }];
  }

  async #start(input: EvaluationInput, context: CommandContext): Promise<void> {
    const { evaluationId: runId } = input;
    const started = await this.parts.runtime.startRun({
      workflow: evaluation.name,
      input: input as EvaluationInput & JsonObject,
      runId,
      metadata: callMetadata(context, runId, this.parts.clock),
    });
    if (isRejection(started)) refuse(started);
  }

  async #ended(runId: string): Promise<void> {
    try {
      await this.parts.runtime.ended({ workflow: evaluation.name, runId });
    } catch (error) {
      throw isOutage(error) ? new EvaluationUnfinished('evaluation', runId, error) : error;
    }
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

  #history(evaluationId: string): Promise<readonly RecordedEvent[]> {
    const { log } = this.parts;
    return log.readStream(log.streams.of(evaluation.name, evaluationId));
  }
}

function viewOf(evaluationId: string, history: readonly RecordedEvent[]): Evaluation {
  return evaluationView(history) ?? refuse(unknownEvaluation(evaluationId));
}
