import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CLIENT_VARIABLES } from '../../cli/program.ts';
import type { ConfigSources } from './config.ts';
import { ConfigError, loadConfig, unknownVariables } from './config.ts';
import { environmentName, settingKeys } from './settings.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'hostler.yaml');

interface TestSources {
  readonly yaml?: string;
  readonly environment?: ConfigSources['environment'];
  readonly flags?: ConfigSources['flags'];
}

function load({ yaml = '', environment = {}, flags = {} }: TestSources) {
  writeFileSync(file, yaml);
  return loadConfig({ file, environment, flags });
}

/** What is wrong, the file's own name cut to `FILE`. */
function loadErrors(sources: TestSources): string[] {
  try {
    load(sources);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.errors.filter(errorLine => !error.message.includes(errorLine))).toEqual([]);
    return error.errors.map(errorLine => errorLine.replace(file, 'FILE'));
  }
}

const KEY = Buffer.alloc(32, 7).toString('base64');
const POSTGRES = 'postgres://hostler@db/hostler';

describe('a setting', () => {
  const inFile = { yaml: 'log_level: error\n' };
  const inEnvironment = { environment: { HOSTLER_LOG_LEVEL: 'warn' } };
  const asFlag = { flags: { log_level: 'debug' } };

  test.each([
    ['has its default', {}, 'info'],
    ['is taken from the file', inFile, 'error'],
    ['is taken from the environment', inEnvironment, 'warn'],
    ['is taken from the environment before the file', { ...inFile, ...inEnvironment }, 'warn'],
    ['is taken from the flag before the environment', { ...inEnvironment, ...asFlag }, 'debug'],
    ['is taken from the flag before all others', { ...inFile, ...inEnvironment, ...asFlag }, 'debug'],
  ])('%s', (_what, given, level) => {
    expect(load(given).log_level).toBe(level);
  });

  test.each([
    ['has its default', {}, 'info'],
    ['is taken from the file', inFile, 'error'],
  ])('whose variable is empty %s', (_what, given, level) => {
    expect(load({ ...given, environment: { HOSTLER_LOG_LEVEL: '' } }).log_level).toBe(level);
  });

  test('counts as not set when its variable is empty, whichever it is', () => {
    const environment = Object.fromEntries(settingKeys.map(key => [environmentName(key), '']));
    expect(load({ environment })).toEqual(load({}));
  });

  test('that is overridden may be wrong where it is not used', () => {
    expect(load({ yaml: 'log_level: loud\n', ...asFlag }).log_level).toBe('debug');
  });

  test('that is a number may be written as one in the file', () => {
    expect(load({ yaml: 'limit_members: 5\n' }).limit_members).toBe(5);
  });
});

describe('how many days something is kept', () => {
  test.each([
    ['retention_events_days: 0.5', 0.5],
    ['retention_events_days: "0.0001"', 0.0001],
    ['retention_events_days: 30', 30],
  ])('%s', (yaml, days) => {
    expect(load({ yaml }).retention_events_days).toBe(days);
  });

  test.each(['0', '0.00001', '36501', '"1e2"', '".5"', '-1', 'NaN', '.nan', '.inf', 'true'])(
    'cannot be %s',
    days => {
      expect(loadErrors({ yaml: `retention_events_days: ${days}` })).toEqual([
        'FILE: retention_events_days: must be a number from 0.0001 to 36500',
      ]);
    },
  );
});

describe('a wrong configuration', () => {
  test('is told with every problem at once, each with its place', () => {
    const given = {
      yaml: 'log_level: loud\nlisten: 0.0.0.0:80\nlistn: x\n',
      environment: { HOSTLER_LIMIT_MEMBERS: '0', HOSTLER_TLS_KEY: '/key.pem' },
      flags: { compat: 'other' },
    };
    expect(loadErrors(given).sort()).toEqual([
      '--compat: must be one of none, commissaire',
      'FILE: listen: an address other than loopback requires TLS; set tls_cert and HOSTLER_TLS_KEY, or allow unencrypted connections with allow_plain_http: true',
      'FILE: listn: unknown setting',
      'FILE: log_level: must be one of fatal, error, warn, info, debug, trace, silent',
      'HOSTLER_LIMIT_MEMBERS: must be a whole number from 1 to 1000000',
      'HOSTLER_TLS_CERT, HOSTLER_TLS_KEY: set both or neither',
    ]);
  });

  test.each([
    ['a word that every object knows', 'toString: x', ['FILE: toString: unknown setting']],
    ['a list', '- listen', ['FILE: must contain settings as key: value']],
    ['text alone', 'listen', ['FILE: must contain settings as key: value']],
  ])('in the file is told: %s', (_what, yaml, errors) => {
    expect(loadErrors({ yaml })).toEqual(errors);
  });

  test('is told with line and column when the file is not YAML', () => {
    expect(loadErrors({ yaml: 'listen: x\n  data: y: z' })[0]).toMatch(
      /^FILE: line \d, column \d+: invalid YAML/,
    );
  });

  test('is one whose file was named and is not there', () => {
    const missing = path.join(folder, 'missing.yaml');
    expect(() => loadConfig({ file: missing, environment: {}, flags: {} })).toThrow(
      /cannot read the configuration file .*missing\.yaml: /,
    );
  });
});

describe('a secret key', () => {
  const loadErrorsFor = (value: string) => loadErrors({ environment: { HOSTLER_SECRET_KEY: value } });

  test.each(['/etc/hostler/secret.key', './secret.key', '../key', '~/key', 'secret.key', `${KEY} /etc/key`])(
    'that is the path of a file, as %s, is told which setting is for that',
    value => {
      expect(loadErrorsFor(value)).toEqual([
        'HOSTLER_SECRET_KEY: must be the key itself, 32 bytes in base64; set secret_key_file to use a key file',
      ]);
    },
  );

  test('that is none is told how to make one, and one that begins like a path is taken', () => {
    expect(loadErrorsFor('short')).toEqual([
      'HOSTLER_SECRET_KEY: must be 32 bytes in base64; create a key with: openssl rand -base64 32',
    ]);
    expect(loadErrorsFor(Buffer.alloc(32, 255).toString('base64'))).toEqual([]);
  });
});

describe('settings that are good alone', () => {
  const tls = { HOSTLER_TLS_CERT: '/c.pem', HOSTLER_TLS_KEY: '/k.pem' };

  test.each<[string, TestSources, RegExp]>([
    [
      'another address than loopback without TLS',
      { flags: { listen: '0.0.0.0:8000' } },
      /^--listen: an address other than loopback requires TLS; set --tls-cert and --tls-key, or allow unencrypted connections with --allow-plain-http$/,
    ],
    [
      'an IPv6 address without TLS',
      { environment: { HOSTLER_LISTEN: '[::]:8000' } },
      /^HOSTLER_LISTEN: an address other than loopback requires TLS; set HOSTLER_TLS_CERT and HOSTLER_TLS_KEY, or allow unencrypted connections with HOSTLER_ALLOW_PLAIN_HTTP=true$/,
    ],
    [
      'a certificate without key',
      { environment: { HOSTLER_TLS_CERT: '/c.pem' } },
      /^HOSTLER_TLS_CERT, HOSTLER_TLS_KEY: set both/,
    ],
    [
      'a secret key and its file',
      { environment: { HOSTLER_SECRET_KEY: KEY, HOSTLER_SECRET_KEY_FILE: '/k' } },
      /^HOSTLER_SECRET_KEY, HOSTLER_SECRET_KEY_FILE: set only one/,
    ],
    [
      'PostgreSQL without secret key',
      { environment: { HOSTLER_STORE: POSTGRES } },
      /^HOSTLER_SECRET_KEY: required with PostgreSQL/,
    ],
    [
      'PostgreSQL by a flag without secret key',
      { flags: { store: 'postgres://db/x' } },
      /^HOSTLER_SECRET_KEY: required with PostgreSQL/,
    ],
    [
      'a password in --store',
      { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: 'postgres://u:hunter2@db/x' } },
      /^--store: other users/,
    ],
    [
      'a password further back in --store',
      { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: 'postgres://db/x?password=hunter2' } },
      /^--store: other users/,
    ],
  ])('are refused together: %s', (_what, given, problem) => {
    expect(loadErrors(given)).toEqual([expect.stringMatching(problem)]);
  });

  test.each<[string, TestSources]>([
    ['loopback without TLS', { flags: { listen: '127.1.2.3:80' } }],
    ['loopback of IPv6 without TLS', { flags: { listen: '[::1]:80' } }],
    ['localhost without TLS', { flags: { listen: 'localhost:80' } }],
    ['another address with TLS', { environment: tls, flags: { listen: '0.0.0.0:443' } }],
    [
      'another address with plain HTTP, explicitly',
      { flags: { listen: '0.0.0.0:80', allow_plain_http: true } },
    ],
    ['PostgreSQL with a secret key', { environment: { HOSTLER_STORE: POSTGRES, HOSTLER_SECRET_KEY: KEY } }],
    [
      "PostgreSQL with a secret key's file",
      { environment: { HOSTLER_STORE: POSTGRES, HOSTLER_SECRET_KEY_FILE: '/k' } },
    ],
    [
      'PostgreSQL with a password in the environment',
      { environment: { HOSTLER_STORE: 'postgres://u:p@db/x', HOSTLER_SECRET_KEY: KEY } },
    ],
    ['--store without password', { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: POSTGRES } }],
  ])('are fine together: %s', (_what, given) => {
    expect(loadErrors(given)).toEqual([]);
  });
});

describe('a secret', () => {
  test.each<[string, TestSources]>([
    ['as a value that is wrong', { environment: { HOSTLER_SECRET_KEY: 'hunter2' } }],
    ["in a store's URL that is wrong", { environment: { HOSTLER_STORE: 'mysql://u:hunter2@db' } }],
    ["in a store's URL without secret key", { environment: { HOSTLER_STORE: 'postgres://u:hunter2@db/x' } }],
    [
      'in --store',
      { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: 'postgres://u:hunter2@db/x' } },
    ],
    ['that begins like an alias', { yaml: 'admin_password: *hunter2' }],
    ['that begins like a block', { yaml: 'admin_password: >hunter2' }],
    ['behind the sign of a block', { yaml: 'admin_password: | hunter2' }],
    ['that begins like a tag', { yaml: 'admin_password: !hunter2' }],
    ['that begins with a reserved sign', { yaml: 'admin_password: @hunter2' }],
    ['with a quote that is not closed', { yaml: 'admin_password: "hunter2' }],
    ['with a colon in it', { yaml: 'admin_password: a: hunter2' }],
    ['as a list', { yaml: 'admin_password: [hunter2]' }],
  ])('is never in what is told: %s', (_where, given) => {
    const errors = loadErrors(given);
    expect(errors).not.toEqual([]);
    expect(errors.join('\n')).not.toContain('hunter2');
  });

  test('does not show in the configuration', () => {
    const { admin_password, secret_key } = load({
      environment: { HOSTLER_ADMIN_PASSWORD: 'hunter2', HOSTLER_SECRET_KEY: KEY },
    });
    expect(JSON.stringify([admin_password, secret_key])).toBe('["[secret]",["[secret]"]]');
    expect([admin_password?.reveal(), secret_key?.map(key => key.reveal())]).toEqual(['hunter2', [KEY]]);
  });
});

test('variables that look like settings and are none are found', () => {
  const environment = { HOSTLER_LISTN: 'x', HOSTLER_LISTEN: 'y', HOSTLER_CONSTRUCTOR: 'z', PATH: '/bin' };
  expect(unknownVariables(environment)).toEqual(['HOSTLER_LISTN', 'HOSTLER_CONSTRUCTOR']);
});

test('variables of the command line are no slips', () => {
  expect(unknownVariables(Object.fromEntries(CLIENT_VARIABLES.map(name => [name, 'x'])))).toEqual([]);
});

describe('host sources', () => {
  const yaml = `sources:
- {name: inventory, type: file, path: /etc/hosts.yaml}
- {name: cmdb, type: http, refresh_s: 60, url: 'https://cmdb/{address}', fields: {cpus: /hw/cpus}}
`;
  const entries = [
    { name: 'inventory', type: 'file', path: '/etc/hosts.yaml' },
    {
      ...{ name: 'cmdb', type: 'http', refresh_s: 60 },
      ...{ url: 'https://cmdb/{address}', fields: { cpus: '/hw/cpus' } },
    },
  ];

  test('are a list in the file, and the same as JSON in the environment', () => {
    expect(load({}).sources).toBeUndefined();
    expect(load({ yaml }).sources).toEqual(entries);
    expect(load({ environment: { HOSTLER_SOURCES: JSON.stringify(entries) } }).sources).toEqual(entries);
    expect(load({ yaml, environment: { HOSTLER_SOURCES: '[]' } }).sources).toEqual([]);
  });

  const LIST = 'must be a list of sources, each with name, type and the options of the type';
  const FILE = { name: 'a', type: 'file', path: '/a' };

  test.each<[string, unknown, readonly string[]]>([
    ['no list', { name: 'a' }, [`: ${LIST}`]],
    ['a list of names', ['a'], [`: ${LIST}`]],
    ['no name', [{ ...FILE, name: undefined }], ['[0].name: is required']],
    [
      'a name that is none',
      [{ ...FILE, name: 'a b' }],
      ['[0].name: must be 1 to 128 characters of A–Z a–z 0–9 _ -'],
    ],
    ['a name twice', [FILE, FILE], ['[1].name: is already the name of another source']],
    ['no type', [{ name: 'a' }], ['[0].type: is required']],
    [
      'a type that nobody knows',
      [{ ...FILE, type: 'ldap' }],
      ['[0].type: must be one of kubernetes, etcd, http, file'],
    ],
    ['an option that nobody knows', [{ ...FILE, token: 'hunter2' }], ['[0].token: is not a known field']],
    ['a period that is too short', [{ ...FILE, refresh_s: 1 }], ['[0].refresh_s: must be at least 5']],
    [
      'something wrong inside',
      [{ name: 'a', type: 'etcd', endpoints: ['http://a', 'hunter2'] }],
      ['[0].endpoints[1]: must be a URL (http, https) without user name, query or fragment'],
    ],
    [
      'everything wrong at once',
      [
        FILE,
        { name: 'b', type: 'http', url: 'hunter2', fields: { cpus: 'x', rack: '/r' } },
        { type: 'file' },
      ],
      [
        '[1].fields.cpus: must be a JSON Pointer, such as /hardware/cpus',
        '[1].fields.rack: is not a known field',
        '[1].url: must be a URL (http, https) without user name, with {address} in its path or query',
        '[2].name: is required',
        '[2].path: is required',
      ],
    ],
  ])('with %s are told with the place, without the value', (_what, sources, errors) => {
    const text = JSON.stringify(sources);
    const expected = (from: string) => errors.map(problem => `${from}${problem}`);
    expect(loadErrors({ yaml: `sources: ${text}\n` }).sort()).toEqual(expected('FILE: sources'));
    const environment = { HOSTLER_SOURCES: text };
    expect(loadErrors({ environment }).sort()).toEqual(expected('HOSTLER_SOURCES'));
  });

  test('that are no JSON in the environment are told without a word of them', () => {
    expect(loadErrors({ environment: { HOSTLER_SOURCES: '[{hunter2' } })).toEqual([
      `HOSTLER_SOURCES: ${LIST}, as JSON`,
    ]);
  });
});
