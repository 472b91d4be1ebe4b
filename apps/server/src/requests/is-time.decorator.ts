import { ValidateBy } from 'class-validator';

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** ISO 8601 as the contract writes times: a date, or a date with time and offset. */
export function IsTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isTime',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)),
      defaultMessage: () => 'must be an ISO 8601 time, like 2026-01-31T12:00:00Z',
    },
  });
}
