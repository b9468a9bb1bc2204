import { existsSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { hostParsers } from './hosts.ts';
import { machineParsers } from './machine.ts';
import type { Parser } from './parser.ts';
import { requestParsers } from './requests.ts';
import { serverParsers } from './servers.ts';

const RUNS = process.env['HOSTLER_TEST_ALL'] ? 10_000 : 200;
const ROOT = path.resolve(import.meta.dirname, '../..');

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
    },
  );
});

/** Whatever was read, no object has got a property by it. */
afterAll(() => {
  expect(Reflect.ownKeys(Object.prototype).sort()).toEqual(Reflect.ownKeys(Object.getPrototypeOf({})).sort());
  expect('polluted' in {}).toBe(false);
});
