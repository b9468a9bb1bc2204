import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Context } from './contexts-file.ts';
import { readContexts, updateContexts } from './contexts-file.ts';

let environment: { readonly XDG_CONFIG_HOME: string };
let file: string;
const lock = () => `${file}.lock`;

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-contexts-'));
  environment = { XDG_CONFIG_HOME: folder };
  mkdirSync(path.join(folder, 'hostler'));
  file = path.join(folder, 'hostler', 'contexts.json');
  return () => rmSync(folder, { recursive: true });
});

const CONTEXT: Context = { servers: ['http://127.0.0.1:8000'], user: 'admin', password: 'a password' };

const contextsWith = (context: unknown) => JSON.stringify({ current: 'one', contexts: { one: context } });

const add = (name: string) =>
  updateContexts(environment, ({ all }) => ({ current: name, all: { ...all, [name]: CONTEXT } }));

const names = () => Object.keys(readContexts(environment).all).sort();

/** Each call of Date.now() is a second later, so a wait for the lock ends early. */
function makeTimeFly(): void {
  let nowMs = Date.now();
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => {
    nowMs += 1000;
    return nowMs;
  });
  onTestFinished(() => spy.mockRestore());
}

const ADD_CONTEXTS_IN_THREAD = `
  const { workerData: { module, environment, context, prefix, count, start }, parentPort } = require('node:worker_threads');
  import(module).then(({ updateContexts }) => {
    parentPort.postMessage('loaded');
    Atomics.wait(start, 0, 0);
    for (let index = 0; index < count; index += 1)
      updateContexts(environment, ({ all }) => ({ current: prefix, all: { ...all, [prefix + index]: context } }));
  });
`;

const INVALID_FILES: readonly (readonly [description: string, text: string, error: string])[] = [
  ['text that is not JSON', 'servers:', 'is not valid JSON. Remove the file and log in again'],
  ['a context that is not an object', '{"contexts":{"one":1}}', 'has no servers, user and password for context one'],
  ['a context without a server', contextsWith({ ...CONTEXT, servers: [] }), 'has no servers, user and password'],
  ['a context whose servers are not strings', contextsWith({ ...CONTEXT, servers: [1] }), 'has no servers'],
  ['a context without a password', contextsWith({ ...CONTEXT, password: undefined }), 'has no servers'],
];

describe('the contexts file', () => {
  test('keeps all contexts that two commands store at the same time', async () => {
    const count = 40;
    const start = new Int32Array(new SharedArrayBuffer(4));
    const module = new URL('./contexts-file.ts', import.meta.url).href;
    const threads = ['a', 'b'].map(prefix => {
      const workerData = { module, environment, context: CONTEXT, prefix, count, start };
      const worker = new Worker(ADD_CONTEXTS_IN_THREAD, { eval: true, workerData, execArgv: [] });
      const loaded = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<number>();
      worker.once('message', () => loaded.resolve());
      worker.once('error', error => {
        loaded.reject(error);
        ended.reject(error);
      });
      worker.once('exit', ended.resolve);
      return { loaded: loaded.promise, ended: ended.promise };
    });
    await Promise.all(threads.map(thread => thread.loaded));
    Atomics.store(start, 0, 1);
    Atomics.notify(start, 0);
    expect(await Promise.all(threads.map(thread => thread.ended))).toEqual([0, 0]);
    expect(names()).toHaveLength(2 * count);
  });

  test('is unlocked a few seconds after a command with the lock was killed', () => {
    writeFileSync(lock(), '');
    const tenSecondsAgo = new Date(Date.now() - 10_000);
    utimesSync(lock(), tenSecondsAgo, tenSecondsAgo);
    add('one');
    expect(names()).toEqual(['one']);
    expect(existsSync(lock())).toBe(false);
  });

  test('is not changed while another command has the lock, which the error names', () => {
    add('one');
    writeFileSync(lock(), '');
    const nextHour = new Date(Date.now() + 3_600_000);
    utimesSync(lock(), nextHour, nextHour);
    makeTimeFly();
    expect(() => add('two')).toThrow(
      `${lock()} exists: another hostler command is writing the file. If none is running, remove the lock`,
    );
    expect(names()).toEqual(['one']);
    expect(existsSync(lock())).toBe(true);
  });

  test('leaves no lock and no temporary file if the update or the write fails', () => {
    expect(() =>
      updateContexts(environment, () => {
        throw new Error('the context does not exist');
      }),
    ).toThrow('the context does not exist');
    expect(readdirSync(path.dirname(file))).toEqual([]);
    expect(() =>
      updateContexts(environment, contexts => {
        // A file cannot replace a folder.
        mkdirSync(file);
        return contexts;
      }),
    ).toThrow(`${file} cannot be written: EISDIR`);
    expect(readdirSync(path.dirname(file))).toEqual(['contexts.json']);
  });

  test('cannot be written if its folder is a file', () => {
    rmSync(path.dirname(file), { recursive: true });
    writeFileSync(path.dirname(file), '');
    expect(() => add('one')).toThrow(`${file} cannot be written: ENOTDIR`);
  });

  test.each(INVALID_FILES)('is rejected and not changed if it contains %s', (_description, text, error) => {
    writeFileSync(file, text, { mode: 0o600 });
    expect(() => readContexts(environment)).toThrow(`${file} ${error}`);
    expect(() => add('two')).toThrow(`${file} ${error}`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each([['[]'], ['null'], ['{}'], ['{"current":1,"contexts":[]}']])('has no contexts if it contains %s', text => {
    writeFileSync(file, text, { mode: 0o600 });
    expect(readContexts(environment)).toEqual({ current: undefined, all: {} });
  });

  test('stores the certificate authority of a context', () => {
    const context: Context = { ...CONTEXT, caFile: '/etc/ssl/hostler.pem' };
    updateContexts(environment, () => ({ current: 'one', all: { one: context } }));
    expect(readContexts(environment)).toEqual({ current: 'one', all: { one: context } });
  });

  test('is rejected if other users can read it', () => {
    writeFileSync(file, '{}');
    chmodSync(file, 0o644);
    expect(() => readContexts(environment)).toThrow(`other users can read it. Fix it with: chmod 600 ${file}`);
  });

  test('is rejected if it is a folder', () => {
    mkdirSync(file);
    expect(() => readContexts(environment)).toThrow(`${file} is not a regular file`);
  });
});
