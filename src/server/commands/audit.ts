import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

/** The client has `hostler audit` too, with other verbs. */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('what happened, as the log has it');
  const verification = audit
    .command('verify')
    .description(SERVER_COMMANDS['audit verify'])
    .option('--expect <id:hash>', 'an entry that was written down earlier, as this command prints it');
  withSettings(verification).action(async ({ expect, ...options }) => {
    const { runVerification } = await import('../run-verification.ts');
    await attempt(() => runVerification(sourcesOf(options), expect));
  });
}
