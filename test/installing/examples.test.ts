// The examples are configurations that the service takes, and each setting in them is explained.

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
  test('is a configuration', () => {
    const config = loadConfig({ environment: {}, flags: {}, file: path.join(CONTRIB, 'examples', name) });
    expect(Object.keys(parse(read(`examples/${name}`))).length).toBeGreaterThan(4);
    expect(config.public_url).toContain('https://hostler.example');
  });

  test('explains each setting right above it', () => {
    const paragraphs = read(`examples/${name}`).trim().split('\n\n').slice(1);
    expect(paragraphs.filter(text => !/^#.*\n(#.*\n)*\w+: /.test(text))).toEqual([]);
  });
});

test('whatever names a document names one that is there', () => {
  const files = readdirSync(CONTRIB, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  const named = files.flatMap(({ parentPath, name }) =>
    [...readFileSync(path.join(parentPath, name), 'utf8').matchAll(/docs\/[\w/-]+\.md/g)].map(
      ([document]) => document,
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(document => !existsSync(path.join(PROJECT, document)))).toEqual([]);
});

/** Variables that a file gives to the service. */
const variablesOf = (file: string) => [
  ...new Set([...read(file).matchAll(/\b(HOSTLER_[A-Z_]+)\s*[:=]/g)].map(([, name = '']) => name)),
];

test.each([
  'container/Containerfile',
  'container/compose.yaml',
  'systemd/hostler.service.d/certificate.conf',
  'systemd/hostler.service.d/secret-key.conf',
])('%s gives settings that there are', file => {
  const known = settingKeys.map(environmentName);
  expect(variablesOf(file)).not.toEqual([]);
  expect(variablesOf(file).filter(name => !known.includes(name))).toEqual([]);
});

test('the composition is whole: what its services name is there', () => {
  const { services, secrets, volumes } = parse(read('container/compose.yaml'));
  expect(Object.keys(services)).toEqual(['hostler', 'database']);
  expect(services.hostler.build.dockerfile).toBe('contrib/container/Containerfile');
  for (const name of services.hostler.secrets) expect(secrets).toHaveProperty(name);
  expect(volumes).toHaveProperty('database');
  expect(services.hostler.environment.HOSTLER_STORE).toContain('@database:5432/');
});
