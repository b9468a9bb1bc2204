import type { Command } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

export function addServeCommands(program: Command): void {
  withSettings(program.command('serve').description(SERVER_COMMANDS.serve), { isServer: true }).action(
    async options => {
      const { serve } = await import('../serve.ts');
      await attempt(() => serve(sourcesOf(options)));
    },
  );

  withSettings(program.command('demo').description(SERVER_COMMANDS.demo), { isServer: true }).action(
    async options => {
      const { runDemo } = await import('../demo/run-demo.ts');
      await attempt(() => runDemo(sourcesOf(options)));
    },
  );
}
