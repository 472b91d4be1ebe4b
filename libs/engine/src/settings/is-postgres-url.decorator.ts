import { ValidateBy } from 'class-validator';

/** The URL of a PostgreSQL database. Says what it should be, never what it is: it may hold a password. */
export function IsPostgresUrl(): PropertyDecorator {
  return ValidateBy({
    name: 'isPostgresUrl',
    validator: {
      validate: (value) =>
        typeof value === 'string' && /^postgres(ql)?:\/\/\S+$/.test(value) && URL.canParse(value),
      defaultMessage: () =>
        'it is no URL like postgres://user:password@host:5432/database, other signs in its parts percent-encoded',
    },
  });
}
