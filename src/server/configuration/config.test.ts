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

/** The errors, with the file name replaced by `FILE`. */
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
  ])('%s', (_name, given, level) => {
    expect(load(given).log_level).toBe(level);
  });

  test.each([
    ['has its default', {}, 'info'],
    ['is taken from the file', inFile, 'error'],
  ])('%s if its variable is empty', (_name, given, level) => {
    expect(load({ ...given, environment: { HOSTLER_LOG_LEVEL: '' } }).log_level).toBe(level);
  });

  test('is unset if its variable is empty, for every setting', () => {
    const environment = Object.fromEntries(settingKeys.map(key => [environmentName(key), '']));
    expect(load({ environment })).toEqual(load({}));
  });

  test('can be invalid where it is overridden', () => {
    expect(load({ yaml: 'log_level: loud\n', ...asFlag }).log_level).toBe('debug');
  });

  test('can be a number in the file', () => {
    expect(load({ yaml: 'limit_members: 5\n' }).limit_members).toBe(5);
  });
});

describe('retention_events_days', () => {
  test.each([
    ['retention_events_days: 0.5', 0.5],
    ['retention_events_days: "0.0001"', 0.0001],
    ['retention_events_days: 30', 30],
  ])('accepts %s', (yaml, days) => {
    expect(load({ yaml }).retention_events_days).toBe(days);
  });

  test.each(['0', '0.00001', '36501', '"1e2"', '".5"', '-1', 'NaN', '.nan', '.inf', 'true'])('rejects %s', days => {
    expect(loadErrors({ yaml: `retention_events_days: ${days}` })).toEqual([
      'FILE: retention_events_days: must be a number from 0.0001 to 36500',
    ]);
  });
});

describe('an invalid configuration', () => {
  test('reports all errors at once, each with its location', () => {
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
    ['the name of an object method', 'toString: x', ['FILE: toString: unknown setting']],
    ['a list', '- listen', ['FILE: must contain settings as key: value']],
    ['only text', 'listen', ['FILE: must contain settings as key: value']],
  ])('reports an invalid file: %s', (_name, yaml, errors) => {
    expect(loadErrors({ yaml })).toEqual(errors);
  });

  test('reports the line and column of invalid YAML', () => {
    expect(loadErrors({ yaml: 'listen: x\n  data: y: z' })[0]).toMatch(/^FILE: line \d, column \d+: invalid YAML/);
  });

  test('reports a missing file that was named explicitly', () => {
    const missing = path.join(folder, 'missing.yaml');
    expect(() => loadConfig({ file: missing, environment: {}, flags: {} })).toThrow(
      /cannot read the configuration file .*missing\.yaml: /,
    );
  });
});

describe('secret_key', () => {
  const loadErrorsFor = (value: string) => loadErrors({ environment: { HOSTLER_SECRET_KEY: value } });

  test.each(['/etc/hostler/secret.key', './secret.key', '../key', '~/key', 'secret.key', `${KEY} /etc/key`])(
    'refers to secret_key_file if the value is a path: %s',
    value => {
      expect(loadErrorsFor(value)).toEqual([
        'HOSTLER_SECRET_KEY: must be the key itself, 32 bytes in base64; set secret_key_file to use a key file',
      ]);
    },
  );

  test('explains how to create a key, and accepts a key that looks like a path', () => {
    expect(loadErrorsFor('short')).toEqual([
      'HOSTLER_SECRET_KEY: must be 32 bytes in base64; create a key with: openssl rand -base64 32',
    ]);
    expect(loadErrorsFor(Buffer.alloc(32, 255).toString('base64'))).toEqual([]);
  });
});

describe('the configuration', () => {
  const tls = { HOSTLER_TLS_CERT: '/c.pem', HOSTLER_TLS_KEY: '/k.pem' };

  test.each<[string, TestSources, RegExp]>([
    [
      'an address other than loopback without TLS',
      { flags: { listen: '0.0.0.0:8000' } },
      /^--listen: an address other than loopback requires TLS; set --tls-cert and --tls-key, or allow unencrypted connections with --allow-plain-http$/,
    ],
    [
      'an IPv6 address without TLS',
      { environment: { HOSTLER_LISTEN: '[::]:8000' } },
      /^HOSTLER_LISTEN: an address other than loopback requires TLS; set HOSTLER_TLS_CERT and HOSTLER_TLS_KEY, or allow unencrypted connections with HOSTLER_ALLOW_PLAIN_HTTP=true$/,
    ],
    [
      'a certificate without a key',
      { environment: { HOSTLER_TLS_CERT: '/c.pem' } },
      /^HOSTLER_TLS_CERT, HOSTLER_TLS_KEY: set both/,
    ],
    [
      'a secret key and its file',
      { environment: { HOSTLER_SECRET_KEY: KEY, HOSTLER_SECRET_KEY_FILE: '/k' } },
      /^HOSTLER_SECRET_KEY, HOSTLER_SECRET_KEY_FILE: set only one/,
    ],
    [
      'PostgreSQL without a secret key',
      { environment: { HOSTLER_STORE: POSTGRES } },
      /^HOSTLER_SECRET_KEY: required with PostgreSQL/,
    ],
    [
      'PostgreSQL in a flag without a secret key',
      { flags: { store: 'postgres://db/x' } },
      /^HOSTLER_SECRET_KEY: required with PostgreSQL/,
    ],
    [
      'a password in --store',
      { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: 'postgres://u:hunter2@db/x' } },
      /^--store: other users/,
    ],
    [
      'a password in the query of --store',
      { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: 'postgres://db/x?password=hunter2' } },
      /^--store: other users/,
    ],
  ])('rejects %s', (_name, given, problem) => {
    expect(loadErrors(given)).toEqual([expect.stringMatching(problem)]);
  });

  test.each<[string, TestSources]>([
    ['loopback without TLS', { flags: { listen: '127.1.2.3:80' } }],
    ['loopback of IPv6 without TLS', { flags: { listen: '[::1]:80' } }],
    ['localhost without TLS', { flags: { listen: 'localhost:80' } }],
    ['another address with TLS', { environment: tls, flags: { listen: '0.0.0.0:443' } }],
    ['another address with plain HTTP, explicitly', { flags: { listen: '0.0.0.0:80', allow_plain_http: true } }],
    ['PostgreSQL with a secret key', { environment: { HOSTLER_STORE: POSTGRES, HOSTLER_SECRET_KEY: KEY } }],
    ['PostgreSQL with a secret key file', { environment: { HOSTLER_STORE: POSTGRES, HOSTLER_SECRET_KEY_FILE: '/k' } }],
    [
      'PostgreSQL with a password in the environment',
      { environment: { HOSTLER_STORE: 'postgres://u:p@db/x', HOSTLER_SECRET_KEY: KEY } },
    ],
    ['--store without a password', { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: POSTGRES } }],
  ])('accepts %s', (_name, given) => {
    expect(loadErrors(given)).toEqual([]);
  });
});

describe('a secret', () => {
  test.each<[string, TestSources]>([
    ['as an invalid value', { environment: { HOSTLER_SECRET_KEY: 'hunter2' } }],
    ['in an invalid store URL', { environment: { HOSTLER_STORE: 'mysql://u:hunter2@db' } }],
    ['in a store URL without a secret key', { environment: { HOSTLER_STORE: 'postgres://u:hunter2@db/x' } }],
    ['in --store', { environment: { HOSTLER_SECRET_KEY: KEY }, flags: { store: 'postgres://u:hunter2@db/x' } }],
    ['that looks like a YAML alias', { yaml: 'admin_password: *hunter2' }],
    ['that looks like a YAML block', { yaml: 'admin_password: >hunter2' }],
    ['after a YAML block indicator', { yaml: 'admin_password: | hunter2' }],
    ['that looks like a YAML tag', { yaml: 'admin_password: !hunter2' }],
    ['that begins with a reserved character', { yaml: 'admin_password: @hunter2' }],
    ['with an unclosed quote', { yaml: 'admin_password: "hunter2' }],
    ['with a colon', { yaml: 'admin_password: a: hunter2' }],
    ['as a list', { yaml: 'admin_password: [hunter2]' }],
  ])('is not part of an error message: %s', (_name, given) => {
    const errors = loadErrors(given);
    expect(errors).not.toEqual([]);
    expect(errors.join('\n')).not.toContain('hunter2');
  });

  test('is redacted in the serialized configuration', () => {
    const { admin_password, secret_key } = load({
      environment: { HOSTLER_ADMIN_PASSWORD: 'hunter2', HOSTLER_SECRET_KEY: KEY },
    });
    expect(JSON.stringify([admin_password, secret_key])).toBe('["[secret]",["[secret]"]]');
    expect([admin_password?.reveal(), secret_key?.map(key => key.reveal())]).toEqual(['hunter2', [KEY]]);
  });
});

test('unknownVariables() finds misspelled settings', () => {
  const environment = { HOSTLER_LISTN: 'x', HOSTLER_LISTEN: 'y', HOSTLER_CONSTRUCTOR: 'z', PATH: '/bin' };
  expect(unknownVariables(environment)).toEqual(['HOSTLER_LISTN', 'HOSTLER_CONSTRUCTOR']);
});

test('unknownVariables() ignores the variables of the client', () => {
  expect(unknownVariables(Object.fromEntries(CLIENT_VARIABLES.map(name => [name, 'x'])))).toEqual([]);
});

describe('the setting sources', () => {
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

  test('is a list in the file, and JSON in the environment', () => {
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
    ['an invalid name', [{ ...FILE, name: 'a b' }], ['[0].name: must be 1 to 128 characters of A–Z a–z 0–9 _ -']],
    ['a duplicate name', [FILE, FILE], ['[1].name: is already the name of another source']],
    ['no type', [{ name: 'a' }], ['[0].type: is required']],
    ['an unknown type', [{ ...FILE, type: 'ldap' }], ['[0].type: must be one of kubernetes, etcd, http, file']],
    ['an unknown option', [{ ...FILE, token: 'hunter2' }], ['[0].token: is not a known field']],
    ['an interval that is too short', [{ ...FILE, refresh_s: 1 }], ['[0].refresh_s: must be at least 5']],
    [
      'an invalid nested value',
      [{ name: 'a', type: 'etcd', endpoints: ['http://a', 'hunter2'] }],
      ['[0].endpoints[1]: must be a URL (http, https) without user name, query or fragment'],
    ],
    [
      'several errors',
      [FILE, { name: 'b', type: 'http', url: 'hunter2', fields: { cpus: 'x', rack: '/r' } }, { type: 'file' }],
      [
        '[1].fields.cpus: must be a JSON Pointer, such as /hardware/cpus',
        '[1].fields.rack: is not a known field',
        '[1].url: must be a URL (http, https) without user name, with {address} in its path or query',
        '[2].name: is required',
        '[2].path: is required',
      ],
    ],
  ])('is rejected with the path and without the value for %s', (_name, sources, errors) => {
    const text = JSON.stringify(sources);
    const expected = (from: string) => errors.map(problem => `${from}${problem}`);
    expect(loadErrors({ yaml: `sources: ${text}\n` }).sort()).toEqual(expected('FILE: sources'));
    const environment = { HOSTLER_SOURCES: text };
    expect(loadErrors({ environment }).sort()).toEqual(expected('HOSTLER_SOURCES'));
  });

  test('is rejected without the value if it is invalid JSON in the environment', () => {
    expect(loadErrors({ environment: { HOSTLER_SOURCES: '[{hunter2' } })).toEqual([
      `HOSTLER_SOURCES: ${LIST}, as JSON`,
    ]);
  });
});
