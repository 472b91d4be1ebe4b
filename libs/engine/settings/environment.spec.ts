import { describe, expect, it } from '@jest/globals';
import { InvalidSetting } from './setting.js';
import { readEnvironment } from './environment.js';
import { optionsFrom } from './options-from.js';

describe('the environment', () => {
  it('has a default for everything that needs one', () => {
    expect(readEnvironment({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      REDIAL_DATA_DIR: './.redial',
      REDIAL_STREAM_PREFIX: 'redial_',
      OPENAI_BASE_URL: 'https://api.openai.com/v1',
      LOG_LEVEL: 'log',
      REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'refuse',
    });
  });

  it('takes what is set, and an empty variable as one that is not', () => {
    const read = readEnvironment({
      PORT: '8080',
      HOST: '::1',
      OPENAI_API_KEY: 'sk-1',
      DATABASE_URL: 'postgresql://redial:p%40ss@db.example:5432/redial?sslmode=verify-full',
      REDIAL_DATA_DIR: '',
      OTHER: 'x',
    });
    expect(read).toMatchObject({
      PORT: 8080,
      HOST: '::1',
      OPENAI_API_KEY: 'sk-1',
      DATABASE_URL: 'postgresql://redial:p%40ss@db.example:5432/redial?sslmode=verify-full',
      REDIAL_DATA_DIR: './.redial',
    });
    expect(read).not.toHaveProperty('OTHER');
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['REDIAL_STREAM_PREFIX', 'a-b'],
    ['OPENAI_BASE_URL', 'ftp://example.com'],
    ['OPENAI_BASE_URL', 'http://'],
    ['OPENAI_BASE_URL', 'llm_server:8000'],
    ['REDIAL_API_TOKEN', 'two words'],
    ['LOG_LEVEL', 'loud'],
    ['REDIAL_WEBHOOK_PRIVATE_ADDRESSES', 'yes'],
    ['EVENTSTOREDB_URL', 'http://someone:secret@db'],
    ['DATABASE_URL', 'mysql://someone:secret@db/redial'],
    ['DATABASE_URL', 'someone:secret@db'],
    ['DATABASE_URL', 'postgres://someone:secret@db:port/redial'],
  ])('refuses %s = %s, naming the setting and not its value', (name, value) => {
    const read = () => readEnvironment({ [name]: value });
    expect(read).toThrow(InvalidSetting);
    expect(read).toThrow(new RegExp(`^\\[InvalidSetting\\] .*${name}`));
    expect(read).not.toThrow(new RegExp(value));
  });

  it('gives applications the token of operators as an option', () => {
    const variables = { REDIAL_API_TOKEN: 'a-token-of-operators' };
    expect(optionsFrom(readEnvironment(variables), variables).apiToken).toBe('a-token-of-operators');
    expect(optionsFrom(readEnvironment({}), {})).not.toHaveProperty('apiToken');
  });

  it('lists each invalid setting once, with one reason', () => {
    const read = () => readEnvironment({ PORT: 'eighty', LOG_LEVEL: 'loud' });
    expect(read).toThrow(
      'PORT: it is not a whole number from 0 to 65535; LOG_LEVEL: it is not one of fatal, error, warn, log, debug, verbose. ',
    );
  });

  it('refuses a variable that is nearly a setting', () => {
    const slips = { REDIAL_DATADIR: '/secret', REDIAL_API_TOKN: 'secret', REDIAL_DRVIE: 'on' };
    expect(() => readEnvironment(slips)).toThrow(
      '[InvalidSetting] the environment: REDIAL_DATADIR: there is no such setting; did you mean REDIAL_DATA_DIR?; REDIAL_API_TOKN: there is no such setting; did you mean REDIAL_API_TOKEN?; REDIAL_DRVIE: there is no such setting; did you mean REDIAL_DRIVE? Correct',
    );
  });

  it.each([
    'REDIAL_URL',
    'REDIAL_REFUNDS_HOOK_TOKEN',
    'REDIAL_KEY',
    'REDIAL_APP_TOKEN',
    'REDIAL_BOT_TOKEN',
    'REDIAL_CRM_TOKEN',
    'REDIAL_HR_TOKEN',
    'REDIAL_API_TOKEN_2',
    'REDIAL_DB_URL',
    'REDIAL_UI_URL',
    'PROT',
    'DATADIR',
  ])('leaves %s alone, which may be another thing', (name) => {
    expect(() => readEnvironment({ [name]: 'x' })).not.toThrow();
  });

  it.each([
    'http://llm_server:8000/v1',
    'http://localhost:11434/v1',
    'http://[::1]:8000',
    'HTTPS://llm.example/v1',
  ])('takes %s as the address of a model', (OPENAI_BASE_URL) => {
    expect(readEnvironment({ OPENAI_BASE_URL })).toMatchObject({ OPENAI_BASE_URL });
  });

  it('names every setting that is wrong at once', () => {
    expect(() => readEnvironment({ PORT: '-1', LOG_LEVEL: 'loud' })).toThrow(/PORT.*LOG_LEVEL/s);
  });
});
