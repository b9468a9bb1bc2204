import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description(SERVER_COMMANDS.admin);
  const reset = admin
    .command('reset-password')
    .description('Set a new password for an account and give it the role admin; the server can keep running')
    .option('--user <name>', 'Account name', 'admin');
  withSettings(reset).action(async ({ user, ...options }) => {
    const { resetPassword } = await import('../reset-password.ts');
    await attempt(() => resetPassword(sourcesOf(options), user));
  });

  const afterRestore = admin
    .command('after-restore')
    .description('Make a restored PostgreSQL database safe; run it before any server starts');
  withSettings(afterRestore).action(async options => {
    const { runAfterRestore } = await import('../backup/run-after-restore.ts');
    await attempt(() => runAfterRestore(sourcesOf(options)));
  });
}
