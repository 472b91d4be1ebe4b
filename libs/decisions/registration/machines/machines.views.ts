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
    .about('Warnings: legal in the definition, and probably not what its author meant'),
  actorTokens: is
    .any<{ readonly [specialistId: string]: string }>()
    .optional.about(
      'For the humans that it declares, by id: the token that proves who acts as them, given now and stored only as a hash',
    ),
}) {}

export class MachineReport extends view({
  valid: is.flag,
  errors: is.listOf<Problem>(ProblemAt),
  errorCount: is.whole().optional.about('How many there are, if not all are listed'),
  warnings: is.listOf<Problem>(ProblemAt),
  warningCount: is.whole().optional.about('How many there are, if not all are listed'),
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
  property: is.object<MachineProperty>().about('As it was stated'),
  holds: is.flag,
  counterexample: is
    .listOf(Step)
    .optional.about(
      'A shortest session that violates it; empty if the initial state does. Absent also if those of the properties before have 2,400 steps together',
    ),
}) {}

/** Statements about specialists hold for those that the machine declares. */
export class MachineProof extends view({
  unreachable: is.texts.about('States that no session reaches'),
  deadEnds: is.texts.about('Reachable states other than the goal from which the goal is not reached'),
  undecidable: is.listOf(UndecidableState).about('States that nobody decides, for the declared specialists'),
  loopsWithoutPeople: is
    .any<readonly (readonly string[])[]>()
    .about(
      'Loops that sessions can take without a person, at least one for each part that has any; the last state of each leads to its first',
    ),
  properties: is.listOf(ProvedProperty).about('First those that the machine states'),
}) {}
