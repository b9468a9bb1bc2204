// The commands that run where the service does. Each loads the service, and with it the database, only when it is the one.

import { Command, Option } from 'commander';
import { EXIT } from '../src/cli/exit-codes.ts';
import { SERVER_COMMANDS } from '../src/cli/server-commands.ts';
import { StoreUnavailable } from '../src/domain/errors.ts';
import { PlainError } from '../src/lib/plain-error.ts';
import type { ConfigSources } from '../src/server/config.ts';

function explain(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreUnavailable)
    return `the store cannot be reached: ${String(error.cause)}; check the setting store`;
  const isAddressInUse = 'code' in error && error.code === 'EADDRINUSE';
  if (isAddressInUse) return 'the address is in use; stop the other program, or choose another by --listen';
  return error.stack ?? error.message;
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`hostler: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** Offers every setting that is no secret as a flag. */
async function withSettings(command: Command): Promise<Command> {
  const { environmentName, flagName, settingKeys, settings } = await import('../src/server/settings.ts');
  command.option('--config <file>', 'read settings from this file (default: hostler.yaml, if it is there)');
  for (const key of settingKeys) {
    const { help, default: standard, isSecret, isSwitch } = settings[key];
    if (isSecret) continue;
    const notes = [environmentName(key), ...(standard && !isSwitch ? [`default ${standard}`] : [])].join(
      ', ',
    );
    command.option(isSwitch ? flagName(key) : `${flagName(key)} <value>`, `${help} (${notes})`);
  }
  const secrets = settingKeys.filter(key => settings[key].isSecret).map(environmentName);
  return command.addHelpText(
    'after',
    `\nSecrets are no flags: set ${secrets.join(', ')}, or write them into the file.\n`,
  );
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

function sourcesOf(options: Record<string, unknown>): ConfigSources {
  const { config, ...flags } = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [snakeCase(name), value]),
  );
  return { environment: process.env, flags, file: typeof config === 'string' ? config : undefined };
}

/** The embedded store to a file, and back. */
async function addBackups(program: Command): Promise<void> {
  const backup = program
    .command('backup')
    .description(SERVER_COMMANDS.backup)
    .argument('<file>', 'where to; it must not be there yet')
    .option('--force', 'replace the file if it is there');
  (await withSettings(backup)).action(async (file, { force, ...options }) => {
    const { runBackup } = await import('../src/server/backup/run-backup.ts');
    await attempt(() => runBackup(sourcesOf(options), { file, isForced: force === true }));
  });

  const restore = program
    .command('restore')
    .description(SERVER_COMMANDS.restore)
    .argument('<file>', 'a backup, or a copy of hostler.sqlite')
    .option('--replace', 'move a store that is there aside, and take its place');
  (await withSettings(restore)).action(async (file, { replace, ...options }) => {
    const { runRestore } = await import('../src/server/backup/run-restore.ts');
    await attempt(() => runRestore(sourcesOf(options), { file, isReplacing: replace === true }));
  });
}

async function addDoctor(program: Command): Promise<void> {
  const doctor = program
    .command('doctor')
    .description(SERVER_COMMANDS.doctor)
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['table', 'json']).default('table'),
    );
  (await withSettings(doctor)).action(async ({ output, ...options }) => {
    const { runDoctor } = await import('../src/server/doctor/run-doctor.ts');
    await attempt(() => runDoctor(sourcesOf(options), { isJson: output === 'json' }));
  });
}

async function addRotation(command: Command): Promise<void> {
  command.description('encrypt all stored secrets with new keys; works while the service runs');
  (await withSettings(command)).action(async options => {
    const { runRotation } = await import('../src/server/run-rotation.ts');
    await attempt(() => runRotation(sourcesOf(options)));
  });
}

async function addAdmin(program: Command): Promise<void> {
  const admin = program.command('admin').description(SERVER_COMMANDS.admin);
  const reset = admin
    .command('reset-password')
    .description('give an account a new password and the role admin; works while the service runs')
    .option('--user <name>', 'the account', 'admin');
  (await withSettings(reset)).action(async ({ user, ...options }) => {
    const { resetPassword } = await import('../src/server/reset-password.ts');
    await attempt(() => resetPassword(sourcesOf(options), user));
  });

  // As it was called once.
  await addRotation(admin.command('rotate-keys', { hidden: true }));

  const afterRestore = admin
    .command('after-restore')
    .description('make a PostgreSQL safe that was restored from a backup, before servers start on it');
  (await withSettings(afterRestore)).action(async options => {
    const { runAfterRestore } = await import('../src/server/backup/run-after-restore.ts');
    await attempt(() => runAfterRestore(sourcesOf(options)));
  });
}

async function addAudit(program: Command): Promise<void> {
  const audit = program.command('audit').description('what happened, as the log has it');
  const verification = audit
    .command('verify')
    .description(SERVER_COMMANDS['audit verify'])
    .option('--expect <id:hash>', 'an entry that was written down earlier, as this command prints it');
  (await withSettings(verification)).action(async ({ expect, ...options }) => {
    const { runVerification } = await import('../src/server/run-verification.ts');
    await attempt(() => runVerification(sourcesOf(options), expect));
  });
}

export async function makeServerProgram(): Promise<Command> {
  const { version } = await import('../src/server/version.ts');
  const program = new Command('hostler')
    .description('Manages clusters of Linux hosts through a REST interface.')
    .version(version)
    .showHelpAfterError('(--help tells more)')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage))
    .configureOutput({ writeErr: text => process.stderr.write(text.replace(/^error: /, 'hostler: ')) });

  (await withSettings(program.command('serve').description(SERVER_COMMANDS.serve))).action(async options => {
    const { serve } = await import('../src/server/serve.ts');
    await attempt(() => serve(sourcesOf(options)));
  });

  const demo = program.command('demo').description(SERVER_COMMANDS.demo);
  (await withSettings(demo)).action(async options => {
    const { runDemo } = await import('../src/server/demo/run-demo.ts');
    await attempt(() => runDemo(sourcesOf(options)));
  });

  await addDoctor(program);
  await addBackups(program);
  const secrets = program.command('secrets').description(SERVER_COMMANDS.secrets);
  await addRotation(secrets.command('rotate'));
  await addAdmin(program);
  await addAudit(program);
  return program;
}

export async function run(argv: readonly string[]): Promise<void> {
  const program = await makeServerProgram();
  await program.parseAsync(argv, { from: 'user' });
}
