// The client in a few files of JavaScript (`tools/build/client.js` makes them), since reading it from hundreds takes longer than what it
// does. What must hold: a bundle that was made from other sources than those that are there is not used.

import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isCheckout } from './checkout.js';

/** Where bundles are, and what the newest was made from. */
export const BUNDLE_FOLDER = 'dist/client';
export const BUNDLE_RECORD = 'built.json';

/**
 * What tells that a file was changed: its size in bytes and the time of its last change.
 *
 * @param {string} file
 * @returns {string | undefined}
 */
export function markOf(file) {
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
export function bundledClient(root) {
  const folder = path.join(root, BUNDLE_FOLDER);
  const record = readRecord(folder);
  if (record === undefined) return undefined;
  const isSame = ([file, mark]) => markOf(path.join(root, file)) === mark;
  const isFresh = !isCheckout(root) || Object.entries(record.inputs).every(isSame);
  return isFresh ? path.join(folder, record.entry) : undefined;
}
