import type { Command } from 'commander';
import { Option } from 'commander';
import { SERVER_COMMANDS } from '../../bin/server-commands.js';
import { createProgram, toExitCode } from '../cli/program.ts';
import { version } from './process.ts';
import { addSettingOptions, runServerCommand, toConfigSources } from './server-command.ts';

export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description(SERVER_COMMANDS.admin);
  const reset = admin
    .command('reset-password')
    .description('Set a new password for an account and give it the role admin; the server can keep running')
    .option('--user <name>', 'Account name', 'admin');
  addSettingOptions(reset).action(async ({ user, ...options }) => {
    const { resetPassword } = await import('./admin/reset-password.ts');
    await runServerCommand(() => resetPassword(toConfigSources(options), user));
  });

  const afterRestore = admin
    .command('after-restore')
    .description('Make a restored PostgreSQL database safe; run it before any server starts');
  addSettingOptions(afterRestore).action(async options => {
    const { runAfterRestore } = await import('./backup/after-restore.ts');
    await runServerCommand(() => runAfterRestore(toConfigSources(options)));
  });
}

/** The client also has a command `hostler audit`, with other subcommands. */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('Verify the audit log');
  const verification = audit
    .command('verify')
    .description(SERVER_COMMANDS['audit verify'])
    .option('--expect <id:hash>', 'Entry that the log must contain, as printed by an earlier run');
  addSettingOptions(verification).action(async ({ expect, ...options }) => {
    const { verifyAuditLog } = await import('./admin/verify-audit-log.ts');
    await runServerCommand(() => verifyAuditLog(toConfigSources(options), expect));
  });
}

export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description(SERVER_COMMANDS.backup)
    .argument('<file>', 'Backup file to create; it must not exist unless --force is given')
    .option('--force', 'Overwrite the file if it exists');
  addSettingOptions(backup).action(async (file, { force, ...options }) => {
    const { runBackup } = await import('./backup/backup.ts');
    await runServerCommand(() => runBackup(toConfigSources(options), { file, canOverwrite: force === true }));
  });

  const restore = program
    .command('restore')
    .description(SERVER_COMMANDS.restore)
    .argument('<file>', 'Backup file, or a copy of hostler.sqlite')
    .option('--replace', 'Replace an existing store; the old store is renamed');
  addSettingOptions(restore).action(async (file, { replace, ...options }) => {
    const { runRestore } = await import('./backup/restore.ts');
    await runServerCommand(() => runRestore(toConfigSources(options), { file, canReplace: replace === true }));
  });
}

export function addDoctorCommands(program: Command): void {
  const doctor = program
    .command('doctor')
    .description(SERVER_COMMANDS.doctor)
    .addOption(new Option('-o, --output <format>', 'Output format').choices(['table', 'json']).default('table'));
  addSettingOptions(doctor).action(async ({ output, ...options }) => {
    const { runDoctor } = await import('./doctor/run-doctor.ts');
    await runServerCommand(() => runDoctor(toConfigSources(options), { isJson: output === 'json' }));
  });
}

export function addSecretsCommands(program: Command): void {
  const secrets = program.command('secrets').description(SERVER_COMMANDS.secrets);
  const rotate = secrets
    .command('rotate')
    .description('Encrypt all stored secrets with new keys; the server can keep running');
  addSettingOptions(rotate).action(async options => {
    const { rotateSecretKeys } = await import('./admin/rotate-secret-keys.ts');
    await runServerCommand(() => rotateSecretKeys(toConfigSources(options)));
  });
}

export function addServeCommands(program: Command): void {
  addSettingOptions(program.command('serve').description(SERVER_COMMANDS.serve), { isServer: true }).action(
    async options => {
      const { serve } = await import('./serve.ts');
      await runServerCommand(() => serve(toConfigSources(options)));
    },
  );

  addSettingOptions(program.command('demo').description(SERVER_COMMANDS.demo), { isServer: true }).action(
    async options => {
      const { runDemo } = await import('./demo/run-demo.ts');
      await runServerCommand(() => runDemo(toConfigSources(options)));
    },
  );
}

// The commands that run on the server machine. Each imports its server code, and with it the database, only
// when it runs.

/** In the order of the help text. */
const COMMANDS = [
  addServeCommands,
  addDoctorCommands,
  addBackupCommands,
  addSecretsCommands,
  addAdminCommands,
  addAuditCommands,
];

export function createServerProgram(): Command {
  const program = createProgram(text => process.stderr.write(text))
    .version(version, '-V, --version', 'Print the version')
    .exitOverride(error => process.exit(toExitCode(error)));
  for (const add of COMMANDS) add(program);
  return program;
}

export async function run(argv: readonly string[]): Promise<void> {
  await createServerProgram().parseAsync(argv, { from: 'user' });
}
