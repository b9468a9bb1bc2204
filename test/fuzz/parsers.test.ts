import { existsSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostParsers } from './hosts.ts';
import { machineParsers } from './machine.ts';
import type { Parser } from './parser.ts';
import { changedSince, propertiesOfAll } from './prototypes.ts';
import { requestParsers } from './requests.ts';
import { serverParsers } from './servers.ts';

const RUNS = process.env['HOSTLER_TEST_ALL'] ? 10_000 : 200;
const ROOT = path.resolve(import.meta.dirname, '../..');

/** Before anything was read. */
const atFirst = propertiesOfAll();

const PARSERS: Readonly<Record<string, readonly Parser[]>> = {
  'anybody on the network, and accounts': requestParsers,
  'a hostile host': hostParsers,
  'other servers': serverParsers,
  'files of the machine': machineParsers,
};

describe.each(Object.entries(PARSERS))('what comes from %s', (_whom, parsers) => {
  test.each(parsers)(
    'harms nobody: $what ($file)',
    { timeout: 600_000 },
    async ({ file, property, share = 100 }) => {
      expect(existsSync(path.join(ROOT, file))).toBe(true);
      await fc.assert(property, { numRuns: Math.ceil((RUNS * share) / 100) });
      expect(changedSince(atFirst)).toEqual([]);
    },
  );
});

test.each([
  ['Object', Object.prototype],
  ['Array', Array.prototype],
])('what gets into every %s is found', (name, prototype) => {
  Object.defineProperty(prototype, 'planted', { value: 1, configurable: true });
  const changed = changedSince(atFirst);
  Reflect.deleteProperty(prototype, 'planted');
  expect(changed).toEqual([`${name}.prototype.planted`]);
});
