import { IsIn, IsString } from 'class-validator';
import {
  Describe,
  IsName,
  IsWhole,
  Operation,
  Optional,
  page,
  PageQuery,
  readsRows,
  ReadQuery,
} from '#lib/operations';
import { getSpecialist, listSpecialists, listSpecialistVersions, type Page } from '#lib/read-models';
import { unknownSpecialist } from '#lib/decisions/specialists';
import { MACHINE_OF_SPECIALIST } from './specialists.operations.js';
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
export class ListSpecialists extends PageQuery<Page<Specialist>> {
  @Describe('Only of this machine')
  @Optional()
  @IsString()
  machineName?: string;

  @Describe('Only of this role')
  @Optional()
  @IsIn(SPECIALIST_ROLES)
  role?: 'proposer' | 'arbiter';
}

export const ListSpecialistsHandler = readsRows(ListSpecialists, ['specialists'], (db, query) =>
  listSpecialists(db, query, query),
);

@Operation({
  summary: 'A version of a specialist, with its alignment: how often it chose what people chose',
  http: 'GET /v1/specialists/:specialistId',
  cli: 'specialists show <specialistId> [version]',
  access: 'viewer',
  answers: { 200: SpecialistWithAlignment },
  problems: [409],
})
export class GetSpecialist extends ReadQuery<SpecialistWithAlignment> {
  @IsName(unknownSpecialist) specialistId!: string;

  @Describe(MACHINE_OF_SPECIALIST)
  @Optional()
  @IsName()
  machineName?: string;

  @Describe('Default: the current version')
  @Optional()
  @IsWhole(1)
  version?: number;
}

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
export class ListSpecialistVersions extends PageQuery<Page<SpecialistVersion>> {
  @IsName(unknownSpecialist) specialistId!: string;

  @Describe(MACHINE_OF_SPECIALIST)
  @Optional()
  @IsName()
  machineName?: string;
}

export const ListSpecialistVersionsHandler = readsRows(ListSpecialistVersions, ['specialists'], (db, query) =>
  listSpecialistVersions(db, query, query),
);
