import type { Problem } from '#lib/kernel';
import {
  type MachineDefinition as Definition,
  machineSchema,
  type MachineProperty,
} from '#lib/decisions/machines';
import { JsonSchemaOf, ProblemAt, is, view } from '#lib/operations';

@JsonSchemaOf(machineSchema)
export class MachineDefinition {}

export class Machine extends view({
  machineName: is.name,
  version: is.whole(1),
  hash: is.text.about('SHA-256 of the definition'),
  definition: is.a<Definition>(MachineDefinition).about('Normalized'),
}) {}

export class DefinedMachine extends view(Machine, {
  warnings: is
    .listOf<Problem>(ProblemAt)
    .about('Warnings: the definition is legal, but probably not as its author meant'),
  actorTokens: is
    .any<{ readonly [specialistId: string]: string }>()
    .optional.about(
      "By id of the declared humans: the token that proves a person's identity as this human, returned once and stored only as a hash",
    ),
}) {}

export class MachineReport extends view({
  valid: is.flag,
  errors: is.listOf<Problem>(ProblemAt),
  errorCount: is.whole().optional.about('The number of all, if not all are listed'),
  warnings: is.listOf<Problem>(ProblemAt),
  warningCount: is.whole().optional.about('The number of all, if not all are listed'),
}) {}

class UndecidableState extends view({
  state: is.text,
  why: is.text,
}) {}

class Step extends view({
  from: is.text,
  transition: is.text,
  to: is.text,
}) {}

class ProvedProperty extends view({
  property: is.object<MachineProperty>().about('The property as stated'),
  holds: is.flag,
  counterexample: is
    .listOf(Step)
    .optional.about(
      'A shortest session that violates it; empty if the initial state does. Also absent once the counterexamples before it have 2,400 steps together',
    ),
}) {}

/** Statements about specialists hold for those that the machine declares. */
export class MachineProof extends view({
  unreachable: is.texts.about('States that no session reaches'),
  deadEnds: is.texts.about('Reachable states other than the goal from which the goal is not reached'),
  undecidable: is.listOf(UndecidableState).about('States that the declared specialists cannot decide'),
  loopsWithoutPeople: is
    .any<readonly (readonly string[])[]>()
    .about(
      'Loops that sessions can take without a person, at least one for each part with such loops; the last state of each leads to its first',
    ),
  properties: is.listOf(ProvedProperty).about("The machine's own properties come first"),
}) {}
