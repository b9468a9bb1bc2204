import type { Command } from 'commander';
import { Option } from 'commander';
import { SERVER_COMMANDS } from '../../program/server-commands.ts';
import { attempt } from './attempt.ts';
import { sourcesOf, withSettings } from './with-settings.ts';

export function addDoctorCommands(program: Command): void {
  const doctor = program
    .command('doctor')
    .description(SERVER_COMMANDS.doctor)
    .addOption(
      new Option('-o, --output <format>', 'Output format').choices(['table', 'json']).default('table'),
    );
  withSettings(doctor).action(async ({ output, ...options }) => {
    const { runDoctor } = await import('../doctor/run-doctor.ts');
    await attempt(() => runDoctor(sourcesOf(options), { isJson: output === 'json' }));
  });
}
