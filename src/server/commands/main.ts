// The commands that run on the server machine, one file for each noun. Each imports the server code, and with it the database,
// only when it runs.

import type { Command } from 'commander';
import { exitCodeOf, newProgram } from '../../program/new-program.ts';
import { version } from '../version.ts';
import { addAdminCommands } from './admin.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addDoctorCommands } from './doctor.ts';
import { addSecretsCommands } from './secrets.ts';
import { addServeCommands } from './serve.ts';

/** In the order of the help text. */
const COMMANDS = [
  addServeCommands,
  addDoctorCommands,
  addBackupCommands,
  addSecretsCommands,
  addAdminCommands,
  addAuditCommands,
];

export function makeServerProgram(): Command {
  const program = newProgram(text => process.stderr.write(text))
    .version(version, '-V, --version', 'Print the version')
    .exitOverride(error => process.exit(exitCodeOf(error)));
  for (const add of COMMANDS) add(program);
  return program;
}

export async function run(argv: readonly string[]): Promise<void> {
  await makeServerProgram().parseAsync(argv, { from: 'user' });
}
