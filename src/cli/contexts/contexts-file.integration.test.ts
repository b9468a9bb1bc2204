import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
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

test('contexts that two commands store at the same time are all kept', async () => {
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

test('the lock of a command that was killed is removed after a few seconds', () => {
  writeFileSync(lock(), '');
  const tenSecondsAgo = new Date(Date.now() - 10_000);
  utimesSync(lock(), tenSecondsAgo, tenSecondsAgo);
  add('one');
  expect(names()).toEqual(['one']);
  expect(existsSync(lock())).toBe(false);
});

test('reports the lock of another command and does not change the file', () => {
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

test('removes the lock and the temporary file if the update or the write fails', () => {
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

test('reports a configuration folder that is a file', () => {
  rmSync(path.dirname(file), { recursive: true });
  writeFileSync(path.dirname(file), '');
  expect(() => add('one')).toThrow(`${file} cannot be written: ENOTDIR`);
});
