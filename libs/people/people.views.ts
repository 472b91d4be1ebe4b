import { is, view } from '#lib/operations';
import { ROLES } from './people.events.js';

/** The caller of an operation, and their rights. */
export class Principal extends view({
  personId: is.name.optional.about('The person who acts; absent for an operator who is no person'),
  role: is.oneOf(ROLES),
  mayActAs: is.flag.about(
    'Whether `actAs` may name the person for whom they act: on a server that asks for no token',
  ),
}) {}

export class PersonView extends view({
  personId: is.name,
  name: is.text.optional,
  role: is.oneOf(ROLES),
  groups: is.names.optional,
  createdAt: is.time,
}) {}

export class RegisteredPerson extends view({
  personId: is.name,
  name: is.text.optional,
  role: is.oneOf(ROLES),
  groups: is.names.optional,
  token: is.text.optional.about(
    'Given once, and stored only as a hash. Absent if the person was registered before',
  ),
}) {}

export class PersonToken extends view({
  token: is.text.about('Given once, and stored only as a hash; the token before it ends'),
}) {}
