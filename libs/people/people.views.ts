import { IsBoolean, IsIn, IsString } from 'class-validator';
import { Describe, IsName, IsNames, IsTime, Optional } from '#lib/operations';
import { type PersonRole, ROLES } from './people.events.js';

/** The caller of an operation, and their rights. */
export class Principal {
  @Describe('The person who acts; absent for an operator who is no person')
  @Optional()
  @IsName()
  personId?: string;

  @IsIn(ROLES) role!: PersonRole;

  @Describe('Whether `actAs` may name the person for whom they act: on a server that asks for no token')
  @IsBoolean()
  mayActAs!: boolean;
}

export class PersonView {
  @IsName() personId!: string;
  @Optional() @IsString() name?: string;
  @IsIn(ROLES) role!: PersonRole;
  @Optional() @IsNames() groups?: readonly string[];
  @IsTime() createdAt!: string;
}

export class RegisteredPerson {
  @IsName() personId!: string;
  @Optional() @IsString() name?: string;
  @IsIn(ROLES) role!: PersonRole;
  @Optional() @IsNames() groups?: readonly string[];

  @Describe('Given once, and stored only as a hash. Absent if the person was registered before')
  @Optional()
  @IsString()
  token?: string;
}

export class PersonToken {
  @Describe('Given once, and stored only as a hash; the token before it ends')
  @IsString()
  token!: string;
}
