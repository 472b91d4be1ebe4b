import { Query } from '@nestjs/cqrs';
import { input, is, Operation, page, pageMembers, readMembers, readsRows } from '#lib/operations';
import { getSpecialist, listSpecialists, listSpecialistVersions, type Page } from '#lib/read-models';
import { unknownSpecialist } from '#lib/decisions/specialists';
import { MACHINE_OF_SPECIALIST, specialistPageMembers } from './specialists.operations.js';
import {
  Specialist,
  SPECIALIST_ROLES,
  SpecialistVersion,
  SpecialistWithAlignment,
} from './specialists.views.js';

@Operation({
  summary: 'The specialists in their current versions, by id',
  http: 'GET /v1/specialists',
  cli: 'specialists list',
  access: 'viewer',
  answers: { 200: page(Specialist) },
})
export class ListSpecialists extends input(Query<Page<Specialist>>, {
  machineName: is.text.optional.about('Only of this machine'),
  role: is.oneOf(SPECIALIST_ROLES).optional.about('Only of this role'),
  ...pageMembers,
}) {}

export const ListSpecialistsHandler = readsRows(ListSpecialists, ['specialists'], (db, query) =>
  listSpecialists(db, query, query),
);

@Operation({
  summary: 'A version of a specialist, with its alignment: its choices equal to decisions of people',
  http: 'GET /v1/specialists/:specialistId',
  cli: 'specialists show <specialistId> [version]',
  access: 'viewer',
  answers: { 200: SpecialistWithAlignment },
  problems: [409],
})
export class GetSpecialist extends input(Query<SpecialistWithAlignment>, {
  specialistId: is.nameOf(unknownSpecialist),
  machineName: is.name.optional.about(MACHINE_OF_SPECIALIST),
  version: is.whole(1).optional.about('Default: the current version'),
  ...readMembers,
}) {}

export const GetSpecialistHandler = readsRows(GetSpecialist, ['specialists', 'alignment'], (db, query) =>
  getSpecialist(db, query, query.version),
);

@Operation({
  summary: 'Every version of a specialist, the oldest first',
  http: 'GET /v1/specialists/:specialistId/versions',
  cli: 'specialists versions <specialistId>',
  access: 'viewer',
  answers: { 200: page(SpecialistVersion) },
  problems: [409],
})
export class ListSpecialistVersions extends input(Query<Page<SpecialistVersion>>, specialistPageMembers) {}

export const ListSpecialistVersionsHandler = readsRows(ListSpecialistVersions, ['specialists'], (db, query) =>
  listSpecialistVersions(db, query, query),
);
