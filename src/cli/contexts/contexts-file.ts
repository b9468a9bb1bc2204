// Stores servers and accounts in a file. Invariants: passwords are written only to this file, which has mode
// 0600 from its creation; a file that other users can access is not used.

import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { createPrivateDirectory, isAccessibleByOthers } from '../../lib/files.ts';
import { isRecord } from '../../lib/json.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { notFoundError, usageError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface Context {
  /** Servers of the same store. If one does not respond, the client uses the next. */
  readonly servers: readonly [string, ...string[]];
  readonly user: string;
  readonly password: string;
  readonly caFile?: string;
}

export interface Contexts {
  readonly current: string | undefined;
  readonly all: Readonly<Record<string, Context>>;
}

type Environment = Terminal['environment'];

function contextsPath({ XDG_CONFIG_HOME, HOME }: Environment): string {
  return path.join(XDG_CONFIG_HOME || path.join(HOME || homedir(), '.config'), 'hostler', 'contexts.json');
}

const fileError = (file: string, message: string) => usageError(`${file} ${message}`);

function parseContext(value: unknown): Context | undefined {
  if (!isRecord(value)) return undefined;
  const { servers, user, password, ca_file: caFile } = value;
  if (!Array.isArray(servers) || typeof user !== 'string' || typeof password !== 'string') return undefined;
  const [first, ...others] = servers.filter(server => typeof server === 'string');
  if (first === undefined) return undefined;
  return { servers: [first, ...others], user, password, ...(typeof caFile === 'string' && { caFile }) };
}

function parseContexts(file: string, text: string): Contexts {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fileError(file, 'is not valid JSON. Remove the file and log in again with: hostler login');
  }
  const { current, contexts } = isRecord(value) ? value : {};
  const entries = Object.entries(isRecord(contexts) ? contexts : {}).map(([name, entry]) => {
    const context = parseContext(entry);
    if (context === undefined)
      throw fileError(
        file,
        `has no servers, user and password for context ${sanitizeLine(name)}. Log in again with: hostler login`,
      );
    return [name, context] as const;
  });
  return { current: typeof current === 'string' ? current : undefined, all: Object.fromEntries(entries) };
}

export function readContexts(environment: Environment): Contexts {
  const file = contextsPath(environment);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return { current: undefined, all: {} };
  if (!stats.isFile()) throw fileError(file, 'is not a regular file. Remove it and log in again with: hostler login');
  if (isAccessibleByOthers(stats))
    throw fileError(file, `contains passwords, and other users can read it. Fix it with: chmod 600 ${file}`);
  return parseContexts(file, readFileSync(file, 'utf8'));
}

function ensureFolder(file: string): void {
  try {
    createPrivateDirectory(path.dirname(file));
  } catch (error) {
    throw fileError(file, `cannot be written: ${errorMessage(error)}. Set XDG_CONFIG_HOME to use another directory`);
  }
}

const LOCK_TIMEOUT_MS = 2000;
const LOCK_RETRY_MS = 20;
/** The process that held such a lock was killed. */
const STALE_LOCK_MS = 5000;

const isOlderThan = (file: string, ms: number): boolean => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ms;
};

/** Serializes writers, so that simultaneous logins are both stored. */
function withLock(file: string, action: () => void): void {
  const lock = `${file}.lock`;
  const deadlineMs = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      break;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw fileError(file, `cannot be written: ${errorMessage(error)}`);
      if (isOlderThan(lock, STALE_LOCK_MS)) rmSync(lock, { force: true });
      else if (Date.now() > deadlineMs)
        throw fileError(
          lock,
          'exists: another hostler command is writing the file. If none is running, remove the lock',
        );
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
    }
  }
  try {
    action();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Reads the file again under the lock, because another process can have changed it. */
export function updateContexts(environment: Environment, update: (contexts: Contexts) => Contexts): void {
  const file = contextsPath(environment);
  ensureFolder(file);
  withLock(file, () => writeContexts(file, update(readContexts(environment))));
}

function writeContexts(file: string, { current, all }: Contexts): void {
  const contexts = Object.fromEntries(
    Object.entries(all).map(([name, { caFile, ...rest }]) => [name, { ...rest, ca_file: caFile }]),
  );
  // Readers see the old or the new file, never a partial one.
  const temporaryFile = `${file}.${crypto.randomUUID()}`;
  try {
    writeFileSync(temporaryFile, `${JSON.stringify({ current, contexts }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(temporaryFile, file);
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw fileError(file, `cannot be written: ${errorMessage(error)}`);
  }
}

/** `hint` follows the list of names in the error. */
export function findContext({ all }: Contexts, name: string, hint = ''): Context {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found) return found;
  throw notFoundError(
    `the context ${name} does not exist (available: ${Object.keys(all).join(', ') || 'none'})${hint}`,
  );
}

export function removeContext({ current, all }: Contexts, name: string): Contexts {
  const { [name]: _removed, ...others } = all;
  return { current: current === name ? undefined : current, all: others };
}
