// No text makes a regular expression slow: there is one thread for everybody.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { slowText } from './slow-patterns.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Slow with long texts, which never come: why. */
const NEVER_LONG: Readonly<Record<string, string>> = {
  'src/app/user-data/make-user-data.ts /\\/+$/': 'of a URL of up to 2048 characters, by an admin',
  'src/cli/input/option-parsers.ts /(\\d+)([smhdw])/g': 'typed by whoever waits for it',
  'src/cli/input/option-parsers.ts /T.*(Z|[+-]\\d{2}:?\\d{2})$/': 'typed by whoever waits for it',
  'src/domain/hosts/host-key.ts /=+$/': 'of a digest',
  'src/drivers/host-source/etcd/etcd.ts /\\/+$/': 'of a prefix of up to 256 characters, in the configuration',
  'src/drivers/host-source/kubernetes/kubernetes.ts /^\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)(?:([eE][+-]?[0-9]{1,3})|([A-Za-z]{0,2}))$/':
    'of up to 64 characters',
  'src/drivers/network/flannel-etcd/flannel-etcd.ts /\\/+$/': 'of a prefix of up to 256 characters',
  'src/drivers/os/shared-commands.ts /@.*$/': 'of a word of up to 512 characters',
  'web/src/pages/host/access-panel.tsx /=+$/': 'of a key that the browser itself reads',
};

/** Not part of what is run. */
const IS_TEST = /\.test\.tsx?$|conformance|\/fakes?\.ts$|\/sim\//;

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.[jt]sx?$/.test(name) && !name.includes('node_modules'))
    .map(name => `${folder}/${name}`)
    .filter(name => !IS_TEST.test(name));

const fieldOf = (node: object, name: string): unknown => Reflect.get(node, name);

/** All regular expressions in a syntax tree, as they are written. */
function patternsIn(node: unknown): RegExp[] {
  if (typeof node !== 'object' || node === null) return [];
  const regex = fieldOf(node, 'regex');
  if (typeof regex === 'object' && regex !== null)
    return [new RegExp(String(fieldOf(regex, 'pattern')), String(fieldOf(regex, 'flags')))];
  return Object.values(node).flatMap(patternsIn);
}

const found = ['src', 'web/src', 'bin'].flatMap(filesIn).flatMap(file => {
  const program = parseAst(readFileSync(path.join(ROOT, file), 'utf8'), {
    lang: file.endsWith('x') ? 'tsx' : 'ts',
  });
  return patternsIn(program).map(pattern => ({ name: `${file} ${pattern}`, pattern }));
});
const repeating = found.filter(({ pattern }) => /[+*]|\{\d+,/.test(pattern.source));

test('all of them are found', () => {
  expect(repeating.length).toBeGreaterThan(100);
  expect(Object.keys(NEVER_LONG).filter(name => !repeating.some(each => each.name === name))).toEqual([]);
});

test('a slow one is known', () => {
  expect(slowText(/#[0-9].* Debian (\S+) \(/)).toBeDefined();
  expect(slowText(/^(a+)+$/)).toBe('it never came to an end');
});

test.each(repeating.filter(({ name }) => !(name in NEVER_LONG)))(
  '$name is not slow',
  { timeout: 120_000 },
  ({ pattern }) => {
    expect(slowText(pattern)).toBeUndefined();
  },
);
