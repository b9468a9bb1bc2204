// What pretend hosts answer to jobs and reboots, and where they keep what they know of them.

import type { MachineAnswer } from '../drivers/machine.ts';
import { JOBS_FOLDER } from './jobs/job.ts';
import { ERROR_MARKER } from './script-error.ts';

/** One character of `latin1` is one byte. */
export const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

export const said = (stdout = ''): MachineAnswer => ({
  exitCode: 0,
  stdout: bytes(stdout),
  stderr: bytes(''),
});

/** As `Machine.run` names what is under /run. */
export const fileOf = (name: string, file: string): string =>
  `${JOBS_FOLDER.replace('/run/', '')}/${name}/${file}`;

/** What a script reports that cannot create this file in /run/hostler. */
export const runReadOnly = (name: string): MachineAnswer => ({
  ...said(`${ERROR_MARKER} write_file sh: 1: cannot create ${JOBS_FOLDER}/${name}: Read-only file system\n`),
  exitCode: 1,
});
