import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

export function addSecretsCommands(program: Command): void {
  const secrets = program.command('secrets').description(SERVER_COMMANDS.secrets);
  makeRotation(secrets.command('rotate'));
}

/** Turns a command into the key rotation. */
export function makeRotation(command: Command): void {
  command.description('Encrypt all stored secrets with new keys; the server can keep running');
  withSettings(command).action(async options => {
    const { runRotation } = await import('../keys/run-rotation.ts');
    await attempt(() => runRotation(sourcesOf(options)));
  });
}
