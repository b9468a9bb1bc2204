import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

export function addSecretsCommands(program: Command): void {
  const secrets = program.command('secrets').description(SERVER_COMMANDS.secrets);
  const rotate = secrets
    .command('rotate')
    .description('Encrypt all stored secrets with new keys; the server can keep running');
  withSettings(rotate).action(async options => {
    const { runRotation } = await import('../keys/run-rotation.ts');
    await attempt(() => runRotation(sourcesOf(options)));
  });
}
