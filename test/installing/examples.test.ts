import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/server/configuration/config.ts';
import { environmentName, settingKeys } from '../../src/server/configuration/settings.ts';
import { PROJECT } from '../harness/programs/process.ts';

const CONTRIB = path.join(PROJECT, 'contrib');
const read = (file: string) => readFileSync(path.join(CONTRIB, file), 'utf8');
const configurations = readdirSync(path.join(CONTRIB, 'examples')).filter(name => name.endsWith('.yaml'));

describe.each(configurations)('the example %s', name => {
  test('is a valid configuration', () => {
    const config = loadConfig({ environment: {}, flags: {}, file: path.join(CONTRIB, 'examples', name) });
    expect(Object.keys(parse(read(`examples/${name}`))).length).toBeGreaterThan(4);
    expect(config.public_url).toContain('https://hostler.example');
  });

  test('has a comment above each setting', () => {
    const paragraphs = read(`examples/${name}`).trim().split('\n\n').slice(1);
    expect(paragraphs.filter(text => !/^#.*\n(#.*\n)*\w+: /.test(text))).toEqual([]);
  });
});

test('files in contrib name existing documents', () => {
  const files = readdirSync(CONTRIB, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const named = files.flatMap(({ parentPath, name }) =>
    [...readFileSync(path.join(parentPath, name), 'utf8').matchAll(/docs\/[\w/-]+\.md/g)].map(([document]) => document),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(document => !existsSync(path.join(PROJECT, document)))).toEqual([]);
});

/** Environment variables that a file sets for the service. */
const variablesOf = (file: string) => [
  ...new Set([...read(file).matchAll(/\b(HOSTLER_[A-Z_]+)\s*[:=]/g)].map(([, name = '']) => name)),
];

test.each([
  'container/Containerfile',
  'container/compose.yaml',
  'systemd/hostler.service.d/certificate.conf',
  'systemd/hostler.service.d/secret-key.conf',
])('%s uses existing settings', file => {
  const variables = settingKeys.map(environmentName);
  expect(variablesOf(file)).not.toEqual([]);
  expect(variablesOf(file).filter(name => !variables.includes(name))).toEqual([]);
});

test('compose.yaml defines everything that its services use', () => {
  const { services, secrets, volumes } = parse(read('container/compose.yaml'));
  expect(Object.keys(services)).toEqual(['hostler', 'database']);
  expect(services.hostler.build.dockerfile).toBe('contrib/container/Containerfile');
  for (const name of services.hostler.secrets) expect(secrets).toHaveProperty(name);
  expect(volumes).toHaveProperty('database');
  expect(services.hostler.environment.HOSTLER_STORE).toContain('@database:5432/');
});
