import { IsIn, IsString } from 'class-validator';
import { Describe, IsName, IsNames, IsTime, Optional } from '#lib/operations';
import { type PersonRole, ROLES } from './people.events.js';

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
