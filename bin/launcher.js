import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Whether this is a checkout, which runs its sources. A package has none: Node strips no types under `node_modules`.
 *
 * @param {string} root
 * @returns {boolean}
 */
export const isCheckout = root => existsSync(path.join(root, 'src'));

// The client in a few files of JavaScript (`tools/build/cli.js` makes them), since reading it from hundreds takes longer than what it
// does. What must hold: a bundle that was made from other sources than those that are there is not used.

/** Where bundles are, and what the newest was made from. */
export const BUNDLE_FOLDER = 'dist/client';
export const BUNDLE_RECORD = 'built.json';

/**
 * What tells that a file was changed: its size in bytes and the time of its last change.
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
 * The file to begin with; `undefined`: there is no bundle of these sources.
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

/** What runs where the service does, and needs its code; everything else only asks a service. */
export const SERVER_COMMAND_NAMES = [
  'serve',
  'demo',
  'backup',
  'restore',
  'doctor',
  'secrets',
  'admin',
  'audit verify',
];

/**
 * Whether these words begin with one of them, also behind `help`.
 *
 * @param {readonly string[]} args
 * @returns {boolean}
 */
export function isServerCommand(args) {
  const [noun, verb] = args[0] === 'help' ? args.slice(1) : args;
  return SERVER_COMMAND_NAMES.includes(noun) || SERVER_COMMAND_NAMES.includes(`${noun} ${verb}`);
}
