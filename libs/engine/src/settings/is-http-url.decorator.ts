import { ValidateBy } from 'class-validator';

/** Any URL of http or https. Names of hosts may be what no registrar takes: containers are called `llm_server`. */
export function IsHttpUrl(): PropertyDecorator {
  return ValidateBy({
    name: 'isHttpUrl',
    validator: {
      validate: (value) =>
        typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
      defaultMessage: () => 'it is no URL of http or https',
    },
  });
}
