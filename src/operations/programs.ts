import type { Argv, Question } from '../domain/command.ts';
import type { MachineFake } from '../drivers/machine.ts';

const FIND = 'for program; do command -v "$program" >/dev/null 2>&1 || printf "%s\\n" "$program"; done';

const lines = (bytes: Uint8Array) => Buffer.from(bytes).toString().split('\n').filter(Boolean);

/** Which of some programs a host does not have. */
export const missingOf = (programs: readonly string[]): Question<readonly string[]> => ({
  argv: ['sh', '-c', FIND, 'sh', ...programs],
  read: ({ exitCode, stdout }) => (exitCode === 0 ? lines(stdout) : undefined),
});

const isAsked = ([, , script]: Argv): boolean => script === FIND;

/** A pretend host has every program. */
export const programsFake: MachineFake = {
  blueprints: {},
  answer: (_machine, argv) =>
    isAsked(argv) ? { exitCode: 0, stdout: new Uint8Array(), stderr: new Uint8Array() } : undefined,
};
