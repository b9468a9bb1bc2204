import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { SERVER_COMMANDS } from './server-commands.js';

/**
 * Whether this is a checkout, which runs its sources. A package contains only JavaScript, because Node does
 * not strip types under `node_modules`.
 *
 * @param {string} root
 * @returns {boolean}
 */
export const isCheckout = root => existsSync(path.join(root, 'src'));

// `tools/build/cli.js` bundles the client into a few files, because loading hundreds of files takes longer
// than most commands. Invariant: a bundle that was built from other sources is not used.

export const BUNDLE_FOLDER = 'dist/client';
export const BUNDLE_RECORD = 'built.json';

/**
 * The size in bytes and the modification time of a file.
 *
 * @param {string} file
 * @returns {string | undefined}
 */
export function fingerprintFile(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.size} ${stats.mtimeMs}`;
}

/**
 * @param {string} folder
 * @returns {{ entry: string, inputs: Record<string, string> } | undefined}
 */
function readRecord(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, BUNDLE_RECORD), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the entry file of the bundle; `undefined` if there is no bundle of the current sources.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function findClientBundle(root) {
  const folder = path.join(root, BUNDLE_FOLDER);
  const record = readRecord(folder);
  if (record === undefined) return undefined;
  const isUnchanged = ([file, fingerprint]) => fingerprintFile(path.join(root, file)) === fingerprint;
  const isFresh = !isCheckout(root) || Object.entries(record.inputs).every(isUnchanged);
  return isFresh ? path.join(folder, record.entry) : undefined;
}

/**
 * Whether the arguments start with a server command, also after `help`.
 *
 * @param {readonly string[]} args
 * @returns {boolean}
 */
export function isServerCommand(args) {
  const [noun, verb] = args[0] === 'help' ? args.slice(1) : args;
  return Object.hasOwn(SERVER_COMMANDS, noun) || Object.hasOwn(SERVER_COMMANDS, `${noun} ${verb}`);
}
