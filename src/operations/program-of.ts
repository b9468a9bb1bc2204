import type { Argv } from '../domain/command.ts';

/** What only sets the environment of the program that follows. */
const isOfEnvironment = (word: string): boolean => /^(?:-i|[A-Za-z_]\w*=.*)$/s.test(word);

/** What people know a command by: its program, without the folder; not `env` where that only sets the environment. Never an argument. */
export function programOf([first, ...rest]: Argv): string {
  const behind = first === 'env' ? rest.find(word => !isOfEnvironment(word)) : undefined;
  const program = behind === undefined || behind.startsWith('-') ? first : behind;
  return program.slice(program.lastIndexOf('/') + 1);
}
