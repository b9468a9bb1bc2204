import { existsSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSuiteFolder } from '../harness/temp-folders.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';
import { machineParsers } from './file-parsers.ts';
import { hostParsers } from './host-parsers.ts';
import type { Parser } from './parser.ts';
import { changedSince, propertiesOfAll } from './prototypes.ts';
import { requestParsers } from './request-parsers.ts';
import { serverParsers } from './server-parsers.ts';

const RUNS = IS_LONG_RUN ? 10_000 : 200;
const ROOT = path.resolve(import.meta.dirname, '../..');

/** Snapshot before any input was parsed. */
const before = propertiesOfAll();

const PARSERS: Readonly<Record<string, readonly Parser[]>> = {
  clients: requestParsers,
  'a hostile host': hostParsers,
  'other servers': serverParsers,
  'files of the machine': machineParsers(createSuiteFolder('hostler-fuzz-')),
};

describe.each(Object.entries(PARSERS))('input from %s', (_source, parsers) => {
  test.each(parsers)(
    'is parsed safely: $name ($file)',
    { timeout: 600_000 },
    async ({ file, property, share = 100 }) => {
      expect(existsSync(path.join(ROOT, file))).toBe(true);
      await fc.assert(property, { numRuns: Math.ceil((RUNS * share) / 100) });
      expect(changedSince(before)).toEqual([]);
    },
  );
});

test.each([
  ['Object', Object.prototype],
  ['Array', Array.prototype],
])('a property added to every %s is detected', (name, prototype) => {
  Object.defineProperty(prototype, 'planted', { value: 1, configurable: true });
  const changed = changedSince(before);
  Reflect.deleteProperty(prototype, 'planted');
  expect(changed).toEqual([`${name}.prototype.planted`]);
});
