import type { Command, OptionValues } from 'commander';
import { Option } from 'commander';
import { SERVER_COMMANDS } from '../../bin/server-commands.js';
import { createRootCommand, removeEqualsSigns, toExitCode } from '../cli/program.ts';
import type { ConfigSources } from './configuration/config.ts';
import { version } from './process.ts';
import { addSettingOptions, runServerCommand, toConfigSources } from './server-command.ts';

// The commands that run on the server machine. Each imports its server code, and with it the database, only
// when it runs.

/** Gets the settings, and the options and the argument of the command itself. */
type ServerAction = (sources: ConfigSources, options: OptionValues, argument: string) => Promise<void>;

/** A failed import is not an error of the command: `bin/hostler.js` reports a missing package. */
function onServer(
  command: Command,
  load: () => Promise<ServerAction>,
  help: { readonly isServer?: boolean } = {},
): void {
  addSettingOptions(command, help).action(async () => {
    const run = await load();
    await runServerCommand(() => run(toConfigSources(command.opts()), command.opts(), command.args[0] ?? ''));
  });
}

function addServeCommands(program: Command): void {
  onServer(
    program.command('serve').description(SERVER_COMMANDS.serve),
    async () => (await import('./serve.ts')).serve,
    { isServer: true },
  );
  onServer(
    program.command('demo').description(SERVER_COMMANDS.demo),
    async () => (await import('./demo/run-demo.ts')).runDemo,
    { isServer: true },
  );
  onServer(
    program
      .command('doctor')
      .description(SERVER_COMMANDS.doctor)
      .addOption(new Option('-o, --output <format>', 'Output format').choices(['table', 'json']).default('table')),
    async () => {
      const { runDoctor } = await import('./doctor/run-doctor.ts');
      return (sources, { output }) => runDoctor(sources, { isJson: output === 'json' });
    },
  );
}

function addBackupCommands(program: Command): void {
  onServer(
    program
      .command('backup')
      .description(SERVER_COMMANDS.backup)
      .argument('<file>', 'Backup file to create; it must not exist unless --force is given')
      .option('--force', 'Overwrite the file if it exists'),
    async () => {
      const { runBackup } = await import('./backup/backup.ts');
      return (sources, { force }, file) => runBackup(sources, { file, canOverwrite: force === true });
    },
  );
  onServer(
    program
      .command('restore')
      .description(SERVER_COMMANDS.restore)
      .argument('<file>', 'Backup file, or a copy of hostler.sqlite')
      .option('--replace', 'Replace an existing store; the old store is renamed'),
    async () => {
      const { runRestore } = await import('./backup/restore.ts');
      return (sources, { replace }, file) => runRestore(sources, { file, canReplace: replace === true });
    },
  );
}

function addAdminCommands(program: Command): void {
  onServer(
    program
      .command('secrets')
      .description(SERVER_COMMANDS.secrets)
      .command('rotate')
      .description('Encrypt all stored secrets with new keys; the server can keep running'),
    async () => (await import('./admin/rotate-secret-keys.ts')).rotateSecretKeys,
  );
  const admin = program.command('admin').description(SERVER_COMMANDS.admin);
  onServer(
    admin
      .command('reset-password')
      .description('Set a new password for an account and give it the role admin; the server can keep running')
      .option('--user <name>', 'Account name', 'admin'),
    async () => {
      const { resetPassword } = await import('./admin/reset-password.ts');
      return (sources, { user }) => resetPassword(sources, user);
    },
  );
  onServer(
    admin
      .command('after-restore')
      .description('Make a restored PostgreSQL database safe; run it before any server starts'),
    async () => (await import('./backup/after-restore.ts')).runAfterRestore,
  );
  onServer(
    // The client also has a command `hostler audit`, with other subcommands.
    program
      .command('audit')
      .description('Verify the audit log')
      .command('verify')
      .description(SERVER_COMMANDS['audit verify'])
      .option('--expect <id:hash>', 'Entry that the log must contain, as printed by an earlier run'),
    async () => {
      const { verifyAuditLog } = await import('./admin/verify-audit-log.ts');
      return (sources, { expect }) => verifyAuditLog(sources, expect);
    },
  );
}

/** In the order of the help text. */
export function createServerProgram(): Command {
  const program = createRootCommand(text => process.stderr.write(text))
    .version(version, '-V, --version', 'Print the version')
    .exitOverride(error => process.exit(toExitCode(error)));
  addServeCommands(program);
  addBackupCommands(program);
  addAdminCommands(program);
  return program;
}

export async function run(argv: readonly string[]): Promise<void> {
  await createServerProgram().parseAsync(removeEqualsSigns(argv), { from: 'user' });
}
