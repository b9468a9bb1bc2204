import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

/** Adds `backup` and `restore` of the embedded store. */
export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description(SERVER_COMMANDS.backup)
    .argument('<file>', 'Backup file to create; it must not exist unless --force is given')
    .option('--force', 'Overwrite the file if it exists');
  withSettings(backup).action(async (file, { force, ...options }) => {
    const { runBackup } = await import('../backup/run-backup.ts');
    await attempt(() => runBackup(sourcesOf(options), { file, isForced: force === true }));
  });

  const restore = program
    .command('restore')
    .description(SERVER_COMMANDS.restore)
    .argument('<file>', 'Backup file, or a copy of hostler.sqlite')
    .option('--replace', 'Replace an existing store; the old store is renamed');
  withSettings(restore).action(async (file, { replace, ...options }) => {
    const { runRestore } = await import('../backup/run-restore.ts');
    await attempt(() => runRestore(sourcesOf(options), { file, isReplacing: replace === true }));
  });
}
