// No input may make a regular expression slow, because the server has one thread.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { slowText } from './slow-patterns.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Patterns that are slow only with long texts, and why the text is never long. */
const SHORT_INPUT: Readonly<Record<string, string>> = {
  'src/app/user-data/make-user-data.ts /\\/+$/': 'a URL of up to 2048 characters, set by an administrator',
  'src/cli/input/option-parsers.ts /(\\d+)([smhdw])/g': 'typed by the user of the CLI',
  'src/cli/input/option-parsers.ts /T.*(Z|[+-]\\d{2}:?\\d{2})$/': 'typed by the user of the CLI',
  'src/domain/hosts/host-key.ts /=+$/': 'a digest',
  'src/drivers/host-source/etcd/etcd.ts /\\/+$/': 'a prefix of up to 256 characters, in the configuration',
  'src/drivers/host-source/kubernetes/kubernetes.ts /^\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)(?:([eE][+-]?[0-9]{1,3})|([A-Za-z]{0,2}))$/':
    'up to 64 characters',
  'src/drivers/network/flannel-etcd/flannel-etcd.ts /\\/+$/': 'a prefix of up to 256 characters',
  'src/drivers/os/shared-commands.ts /@.*$/': 'a word of up to 512 characters',
  'web/src/pages/host/details-panels.tsx /=+$/': 'a key that the browser reads',
};

/** Not part of the program. */
const IS_TEST = /\.test\.tsx?$/;

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.[jt]sx?$/.test(name) && !name.includes('node_modules'))
    .map(name => `${folder}/${name}`)
    .filter(name => !IS_TEST.test(name));

const fieldOf = (node: object, name: string): unknown => Reflect.get(node, name);

/** All regular expressions in a syntax tree. */
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

test('the search finds all regular expressions', () => {
  expect(repeating.length).toBeGreaterThan(100);
  expect(Object.keys(SHORT_INPUT).filter(name => !repeating.some(candidate => candidate.name === name))).toEqual([]);
});

test('slowText detects slow patterns', () => {
  expect(slowText(/#[0-9].* Debian (\S+) \(/)).toBeDefined();
  expect(slowText(/^(a+)+$/)).toBe('timed out');
});

test.each(repeating.filter(({ name }) => !(name in SHORT_INPUT)))('$name is not slow', ({ pattern }) => {
  expect(slowText(pattern)).toBeUndefined();
});
