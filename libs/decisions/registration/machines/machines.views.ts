import type { Problem } from '#lib/kernel';
import { type MachineDefinition as Definition, machineSchema } from '#lib/decisions/machines';
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
