import { Transform } from 'class-transformer';

/** A parameter that is digits becomes a number; anything else stays text, and is found to be no number. */
export function WholeNumber(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
  );
}
