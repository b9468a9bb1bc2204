import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

/** The embedded store to a file, and back. */
export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description(SERVER_COMMANDS.backup)
    .argument('<file>', 'where to; it must not be there yet')
    .option('--force', 'replace the file if it is there');
  withSettings(backup).action(async (file, { force, ...options }) => {
    const { runBackup } = await import('../backup/run-backup.ts');
    await attempt(() => runBackup(sourcesOf(options), { file, isForced: force === true }));
  });

  const restore = program
    .command('restore')
    .description(SERVER_COMMANDS.restore)
    .argument('<file>', 'a backup, or a copy of hostler.sqlite')
    .option('--replace', 'move a store that is there aside, and take its place');
  withSettings(restore).action(async (file, { replace, ...options }) => {
    const { runRestore } = await import('../backup/run-restore.ts');
    await attempt(() => runRestore(sourcesOf(options), { file, isReplacing: replace === true }));
  });
}
