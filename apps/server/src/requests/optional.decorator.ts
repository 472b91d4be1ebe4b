import { ValidateIf } from 'class-validator';

/** The member may be left out. Unlike class-validator's IsOptional, `null` is a value like any other, and checked. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}
