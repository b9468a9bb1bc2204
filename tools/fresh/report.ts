// What is kept of a run, so that a promise in minutes can be looked up: where it was, and what each part took.

import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTool } from '../../test/harness/hosts/run-tool.ts';
import { PROJECT } from '../../test/harness/programs/process.ts';

const FOLDER = path.join(PROJECT, '.cache/fresh');
const GIB = 2 ** 30;

export interface PartRan {
  readonly part: string;
  readonly isWell: boolean;
  readonly told: string;
  readonly tookS: number;
}

export interface Surroundings {
  readonly commit: string;
  readonly machine: string;
}

export const surroundings = async (): Promise<Surroundings> => ({
  commit: (await runTool(['git', '-C', PROJECT, 'rev-parse', '--short', 'HEAD'])).trim(),
  machine: [
    `${os.cpus().length} × ${os.cpus()[0]?.model.trim() ?? 'processor'}`,
    `${(os.totalmem() / GIB).toFixed(0)} GiB`,
    `Linux ${os.release()}`,
  ].join(', '),
});

/** Answers where it is kept. */
export function keepReport(where: Surroundings, parts: readonly PartRan[]): string {
  mkdirSync(FOLDER, { recursive: true });
  const at = new Date().toISOString();
  const file = path.join(FOLDER, `${at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ at, ...where, parts }, undefined, 2)}\n`);
  return path.relative(PROJECT, file);
}
