import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from './configuration/config.ts';
import { listArchivedKeyFiles, resolveSecretKeySource, SecretKeyError } from './secret-keys.ts';

const KEY = Buffer.alloc(32, 7);

describe('the secret key', () => {
  let folder: string;
  let data: string;
  let keyFile: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-secret-'));
    data = path.join(folder, 'data');
    mkdirSync(data);
    keyFile = path.join(data, 'secret.key');
    writeFileSync(path.join(folder, 'hostler.yaml'), '');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const resolveSource = (isStoreNew: boolean, environment: Record<string, string> = {}) =>
    resolveSecretKeySource(
      loadConfig({
        file: path.join(folder, 'hostler.yaml'),
        environment: { HOSTLER_DATA: data, ...environment },
        flags: {},
      }),
      isStoreNew,
    );
  const readOnlyKey = (isStoreNew: boolean, environment: Record<string, string> = {}) => {
    const [key, ...others] = resolveSource(isStoreNew, environment).keys();
    expect(others).toEqual([]);
    return key;
  };

  test('is created at the first start, only for its owner, and reused at the next start', () => {
    const created = readOnlyKey(true);
    expect(created).toHaveLength(32);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(readOnlyKey(false)).toEqual(created);
  });

  test('is different for each data directory', () => {
    const created = readOnlyKey(true);
    rmSync(keyFile);
    expect(readOnlyKey(true)).not.toEqual(created);
  });

  test('is not replaced if it exists', () => {
    const created = readOnlyKey(true);
    expect(readOnlyKey(true)).toEqual(created);
  });

  test('is never created for a store that another key encrypts', () => {
    expect(() => readOnlyKey(false)).toThrow(SecretKeyError);
    expect(() => readOnlyKey(false)).toThrow(/is missing; the store cannot be decrypted without it/);
    expect(readdirSync(data)).toEqual([]);
  });

  test('is read from the setting and then not written to a file', () => {
    expect(readOnlyKey(true, { HOSTLER_SECRET_KEY: KEY.toString('base64') })).toEqual(KEY);
    expect(readdirSync(data)).toEqual([]);
  });

  test('is read from secret_key_file instead of the data directory', () => {
    readOnlyKey(true);
    const file = path.join(folder, 'own.key');
    writeFileSync(file, `${KEY.toString('base64')}\n`);
    expect(readOnlyKey(false, { HOSTLER_SECRET_KEY_FILE: file })).toEqual(KEY);
  });

  test.each([
    ['the embedded store', {}],
    ['PostgreSQL', { HOSTLER_STORE: 'postgres://db/x' }],
  ])('is not created in secret_key_file, with %s', (_name, environment) => {
    const file = path.join(folder, 'own.key');
    expect(() => readOnlyKey(true, { ...environment, HOSTLER_SECRET_KEY_FILE: file })).toThrow(/does not exist/);
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['empty', ''],
    ['too short', Buffer.alloc(31, 7).toString('base64')],
    ['too long', Buffer.alloc(33, 7).toString('base64')],
    ['hexadecimal', KEY.toString('hex')],
    ['base64 with an invalid character', `${KEY.toString('base64').slice(0, 20)}!${KEY.toString('base64').slice(20)}`],
    ['base64url', Buffer.alloc(32, 255).toString('base64url')],
    ['a key and other text', `${KEY.toString('base64')}\nnone`],
  ])('is rejected if the file is %s; the file does not change', (_name, content) => {
    writeFileSync(keyFile, content);
    expect(() => readOnlyKey(true)).toThrow(SecretKeyError);
    let message = '';
    try {
      readOnlyKey(true);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toBe(`${keyFile} does not contain a secret key of 32 bytes in base64`);
    expect(readFileSync(keyFile, 'utf8')).toBe(content);
  });

  test('is not created if its file cannot be read', () => {
    mkdirSync(keyFile);
    expect(() => readOnlyKey(true)).toThrow(/cannot read the secret key/);
  });

  const OTHER = Buffer.alloc(32, 8);
  const both = [OTHER, KEY];
  const encodedKeys = both.map(key => key.toString('base64'));

  test.each([
    ['a file, one per line', () => writeFileSync(keyFile, encodedKeys.join('\n')), {}],
    ['the environment, separated by a space', () => {}, { HOSTLER_SECRET_KEY: encodedKeys.join(' ') }],
    ['the environment, separated by a comma', () => {}, { HOSTLER_SECRET_KEY: encodedKeys.join(',') }],
  ])('can be two keys, the new one first, in %s', (_name, write, environment) => {
    write();
    expect(resolveSource(false, environment).keys()).toEqual(both);
  });

  test('is read again at each use, because another process can rotate it', () => {
    writeFileSync(keyFile, encodedKeys[1] ?? '');
    const source = resolveSource(false);
    writeFileSync(keyFile, encodedKeys.join('\n'));
    expect(source.keys()).toEqual(both);
  });

  test('is rotated for an embedded store, and the old key is archived only for its owner', () => {
    writeFileSync(keyFile, encodedKeys[1] ?? '', { mode: 0o600 });
    const source = resolveSource(false);
    if ('manualInstructions' in source) throw new Error(source.manualInstructions);
    source.prependNew();
    const [added, old] = source.keys();
    expect(added).not.toEqual(KEY);
    expect(old).toEqual(KEY);
    source.retainOnly(added ? [added] : []);
    expect(source.keys()).toEqual([added]);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    // Older backups need the old key.
    const [archived = ''] = listArchivedKeyFiles(keyFile);
    expect(readdirSync(data).sort()).toEqual(['secret.key', path.basename(archived)]);
    expect(readFileSync(archived, 'utf8')).toBe(`${encodedKeys[1]}\n`);
    expect(statSync(archived).mode & 0o777).toBe(0o600);
  });

  test('is written to the target of the link if its file is a symbolic link', () => {
    const target = path.join(folder, 'real.key');
    writeFileSync(target, encodedKeys[1] ?? '');
    symlinkSync(target, keyFile);
    const source = resolveSource(false);
    if ('manualInstructions' in source) throw new Error(source.manualInstructions);
    source.prependNew();
    expect(lstatSync(keyFile).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toMatch(new RegExp(`^[^\n]{44}\n${encodedKeys[1]?.replace('+', '\\+')}\n$`));
  });

  test.each([
    ['it is in the environment', { HOSTLER_SECRET_KEY: KEY.toString('base64') }, /HOSTLER_SECRET_KEY='NEW OLD'/],
    [
      'several servers use it',
      { HOSTLER_STORE: 'postgres://db/x', HOSTLER_SECRET_KEY_FILE: 'own.key' },
      /as the first line of .*own\.key on every server/,
    ],
  ])('must be replaced manually, with instructions, if %s', (_name, environment, expected) => {
    const source = resolveSource(false, environment);
    expect('manualInstructions' in source ? source.manualInstructions : '').toMatch(expected);
  });
});
