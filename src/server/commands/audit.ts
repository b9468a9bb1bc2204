import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

/** The client also has a command `hostler audit`, with other subcommands. */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('Verify the audit log');
  const verification = audit
    .command('verify')
    .description(SERVER_COMMANDS['audit verify'])
    .option('--expect <id:hash>', 'Entry that the log must contain, as printed by an earlier run');
  withSettings(verification).action(async ({ expect, ...options }) => {
    const { runVerification } = await import('../run-verification.ts');
    await attempt(() => runVerification(sourcesOf(options), expect));
  });
}
