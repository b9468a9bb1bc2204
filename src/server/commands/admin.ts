import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { makeRotation } from './secrets.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description(SERVER_COMMANDS.admin);
  const reset = admin
    .command('reset-password')
    .description('give an account a new password and the role admin; works while the service runs')
    .option('--user <name>', 'the account', 'admin');
  withSettings(reset).action(async ({ user, ...options }) => {
    const { resetPassword } = await import('../reset-password.ts');
    await attempt(() => resetPassword(sourcesOf(options), user));
  });

  // As it was called once.
  makeRotation(admin.command('rotate-keys', { hidden: true }));

  const afterRestore = admin
    .command('after-restore')
    .description('make a PostgreSQL safe that was restored from a backup, before servers start on it');
  withSettings(afterRestore).action(async options => {
    const { runAfterRestore } = await import('../backup/run-after-restore.ts');
    await attempt(() => runAfterRestore(sourcesOf(options)));
  });
}
